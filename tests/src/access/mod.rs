//! What an access costs: bank conflicts, sectors, and what removes conflicts.

mod costs;
mod lanes;
mod remedies;
