//! `picture!`: a picture as a string literal for documentation, a layout type with its picture, or the picture of an
//! arena.

use layout_access::{Access, Banks};
use layout_core::Layout;
use layout_show::{Color, Picture};
use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Ident, Path, Token, Visibility};

#[cfg(feature = "records")]
use crate::errors::Errors;
use crate::model::{before_options, is_sign, layout, span_of};
use crate::parse::Forwarded;
#[cfg(feature = "records")]
use crate::record_types::{DeclaredRecord, Input};

/// The options, for error texts.
const OPTIONS: &str = "expected an option after `;`: `memory`, `lanes`, `access = M`, `rows = C`, `columns = HW`, or \
    `color =` one of `block`, `order`, `lane` and `banks`";

/// Returns a literal with the picture as HTML that Markdown leaves unchanged, the type that the tokens declare, or the
/// picture of the arena that they name, whose sizes are known to types alone.
pub(crate) fn picture(input: TokenStream) -> TokenStream {
    let is_type = |token: TokenTree| matches!(token, TokenTree::Ident(name) if name == "type");
    let made = syn::parse2(input).and_then(|Forwarded { krate, tokens }: Forwarded| {
        if let Ok(arena) = Path::parse_mod_style.parse2(tokens.clone()) {
            return Ok(quote_spanned!(span_of(&arena)=> #arena::PLAN.picture()));
        }
        #[cfg(feature = "records")]
        let (known, tokens) = match Input::of_record(tokens.clone()) {
            Some(input) => {
                let tokens = input.tokens.iter().cloned().collect();
                if let Some(asked) = input.unknown_asked("picture", &tokens) {
                    return Ok(asked);
                }
                (input.known, tokens)
            }
            None => (NamedRecords::default(), tokens),
        };
        #[cfg(not(feature = "records"))]
        let known = ();
        match tokens.clone().into_iter().any(is_type) {
            true => Ok(syn::parse2::<Declared>(tokens)?.expand(&krate, &known)?),
            false => Ok(html(&draw(&known, tokens)?).to_token_stream()),
        }
    });
    made.unwrap_or_else(syn::Error::into_compile_error)
}

fn html(picture: &Picture) -> Literal {
    let svg = picture.to_svg();
    // In Markdown, a `<div>` begins a block of HTML and an empty line ends it. rustdoc drops one of the empty lines.
    Literal::string(&format!("\n\n<div style=\"overflow-x:auto\">{svg}</div>\n\n\n"))
}

/// The records whose names have been looked up.
#[cfg(feature = "records")]
type NamedRecords = Vec<DeclaredRecord>;
#[cfg(not(feature = "records"))]
type NamedRecords = ();

/// `/// What it is. pub type NAME = LAYOUT; OPTIONS`.
struct Declared {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    /// The layout and the options of the picture.
    rest: TokenStream,
}

impl Parse for Declared {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (attributes, visibility) = (input.call(Attribute::parse_outer)?, input.parse()?);
        input.parse::<Token![type]>()?;
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self { attributes, visibility, name, rest: input.parse()? })
    }
}

impl Declared {
    fn expand(self, krate: &TokenStream, known: &NamedRecords) -> syn::Result<TokenStream> {
        let Self { attributes, visibility, name, rest } = self;
        let picture = html(&draw(known, rest.clone())?);
        let tokens: Vec<TokenTree> = rest.into_iter().collect();
        let layout: TokenStream = before_options(&tokens).0.iter().cloned().collect();
        Ok(quote! {
            #(#attributes)*
            #[doc = #picture]
            #visibility type #name = #krate::layout!(#layout);
        })
    }
}

/// `LAYOUT; OPTIONS` or `LAYOUT => LAYOUT; OPTIONS`.
#[cfg_attr(not(feature = "records"), allow(unused_variables, reason = "no records"))]
fn draw(known: &NamedRecords, tokens: TokenStream) -> syn::Result<Picture> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (subject, options) = before_options(&tokens);
    let options: DrawingOptions = syn::parse2(options)?;
    let arrow =
        subject.windows(2).position(|pair| is_sign(&pair[0], '=') && is_sign(&pair[1], '>'));
    #[cfg(feature = "records")]
    if let Some(records) = records(known, subject, arrow) {
        let option = options.views().next().map_or(Ok(()), |name| {
            let error = "this is an option of layouts; leave it out of records";
            Err(syn::Error::new(name.span(), error))
        });
        return option.and(records).map(|records| Picture::records(&records));
    }
    let picture = match arrow {
        Some(at) => {
            if let Some(name) = options.views().next() {
                let error = "this is an option of one layout; leave it out";
                return Err(syn::Error::new(name.span(), error));
            }
            let (source, destination) = (layout(&subject[..at])?, layout(&subject[at + 2..])?);
            Picture::relayout(&source, &destination).map_err(|error| here(&error))?
        }
        None => options.picture(&layout(subject)?)?,
    };
    Ok(match options.color {
        Some(color) => picture.color(color),
        None => picture,
    })
}

/// The record in the tokens, or the two on the sides of the arrow. `None` if there is a layout.
#[cfg(feature = "records")]
fn records(
    known: &NamedRecords,
    subject: &[TokenTree],
    arrow: Option<usize>,
) -> Option<syn::Result<Vec<layout_records::Record>>> {
    let sides = match arrow {
        Some(at) => vec![&subject[..at], &subject[at + 2..]],
        None => vec![subject],
    };
    crate::record_types::content_at(sides[0])?;
    let read = |tokens: &&[TokenTree]| {
        let input = Input { known: known.clone(), tokens: tokens.to_vec() };
        input.whole().map(|(.., record)| record).map_err(Errors::first)
    };
    Some(sides.iter().map(read).collect())
}

#[derive(Default)]
struct DrawingOptions {
    memory: Option<Ident>,
    lanes: Option<Ident>,
    access: Option<Ident>,
    rows: Option<Ident>,
    columns: Option<Ident>,
    color: Option<Color>,
}

impl Parse for DrawingOptions {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut options = Self::default();
        while !input.is_empty() {
            let name: Ident =
                input.parse().map_err(|error| syn::Error::new(error.span(), OPTIONS))?;
            let value = || {
                input.parse::<Token![=]>()?;
                input.parse::<Ident>()
            };
            match name.to_string().as_str() {
                "memory" => set(&mut options.memory, name)?,
                "lanes" => set(&mut options.lanes, name)?,
                "access" => set(&mut options.access, value()?)?,
                "rows" => set(&mut options.rows, value()?)?,
                "columns" => set(&mut options.columns, value()?)?,
                "color" => options.color = Some(color(&value()?)?),
                _ => return Err(syn::Error::new(name.span(), OPTIONS)),
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        if let Some(second) = options.views().nth(1) {
            let error = "this option and one before it are two pictures; leave one of them out";
            return Err(syn::Error::new(second.span(), error));
        }
        Ok(options)
    }
}

/// Fills in an option.
fn set(option: &mut Option<Ident>, value: Ident) -> syn::Result<()> {
    match option.replace(value) {
        Some(before) => Err(syn::Error::new(before.span(), "this option is given twice; keep one")),
        None => Ok(()),
    }
}

impl DrawingOptions {
    /// Those that say which picture is drawn, `rows` and `columns` as one.
    fn views(&self) -> impl Iterator<Item = &Ident> {
        let axes = self.rows.as_ref().or(self.columns.as_ref());
        let views = [self.memory.as_ref(), self.lanes.as_ref(), self.access.as_ref(), axes];
        views.into_iter().flatten()
    }

    fn picture(&self, layout: &Layout) -> syn::Result<Picture> {
        let letters = |axes: &Option<Ident>| axes.as_ref().map_or(String::new(), Ident::to_string);
        if let Some(name) = &self.lanes {
            let error = "the layout is not distributed over lanes; leave out `lanes`";
            return Picture::lanes(layout).ok_or_else(|| syn::Error::new(name.span(), error));
        }
        if let Some(axes) = &self.access {
            let access = Access::checked_of(layout, &axes.to_string());
            let access = access.map_err(|error| syn::Error::new(axes.span(), error))?;
            return Ok(Picture::access(&access, &Banks::NVIDIA));
        }
        match (&self.rows, &self.columns) {
            _ if self.memory.is_some() => Ok(Picture::memory(layout)),
            (None, None) => Ok(Picture::of(layout)),
            (rows, columns) => {
                let span =
                    rows.as_ref().or(columns.as_ref()).map_or(Span::call_site(), Ident::span);
                Picture::with_axes(layout, &letters(rows), &letters(columns))
                    .map_err(|error| syn::Error::new(span, error))
            }
        }
    }
}

fn color(name: &Ident) -> syn::Result<Color> {
    match name.to_string().as_str() {
        "block" => Ok(Color::Blocks),
        "order" => Ok(Color::Order),
        "lane" => Ok(Color::Lane),
        "banks" => Ok(Color::Banks(Banks::NVIDIA)),
        _ => Err(syn::Error::new(name.span(), OPTIONS)),
    }
}

/// Returns an error on the whole call.
fn here(error: &impl ToString) -> syn::Error {
    syn::Error::new(Span::call_site(), error.to_string())
}
