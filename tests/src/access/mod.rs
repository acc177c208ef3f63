//! What an access costs: bank conflicts, sectors, and what removes conflicts; and fragments.

mod cost_types;
mod costs;
mod fragment_types;
mod fragments;
mod lanes;
mod remedies;
