//! What pictures say, found by plain search for text.

/// The text of a cell, and whether it is hatched.
pub(super) type Cell = (String, bool);

/// The cells of an SVG in its order.
pub(super) fn svg(picture: &str) -> Vec<Cell> {
    let groups = picture.split("<g class=\"tl-m\">").skip(1);
    let spans =
        groups.flat_map(|group| group.split("</g>").next().unwrap_or("").split("<tspan").skip(1));
    spans
        .map(|span| {
            let (attributes, rest) = span.split_once('>').expect("a tag ends");
            let text = rest.split_once('<').expect("a tag ends").0;
            (text.to_owned(), attributes.contains("tl-q"))
        })
        .collect()
}

/// The cells of an HTML document in its order.
pub(super) fn html(picture: &str) -> Vec<Cell> {
    let cells = picture.split("<td").skip(1).map(|cell| {
        let (attributes, rest) = cell.split_once('>').expect("a tag ends");
        (rest.split_once('<').expect("a tag ends").0.to_owned(), attributes.contains("tl-q"))
    });
    cells.filter(|(text, _)| !text.is_empty()).collect()
}

/// The numbers of a text picture without the first line, labels and notes.
pub(super) fn text(picture: &str, row_labels: &str) -> Vec<Cell> {
    let (_, rest) = picture.split_once('\n').expect("a title");
    let end = rest.rfind("\n\n").unwrap_or(0);
    let rows = rest[..end].lines().filter(|line| line.starts_with(' '));
    let words =
        rows.flat_map(|row| row.split_whitespace().skip(usize::from(!row_labels.is_empty())));
    let cells = words.filter(|word| word.starts_with('(') || word.parse::<usize>().is_ok());
    cells.map(|word| (word.trim_matches(['(', ')']).to_owned(), word.starts_with('('))).collect()
}
