//! What pictures say, found by plain search for text.

/// The text of a cell, and whether it is hatched.
pub(super) type Cell = (String, bool);

/// A text of an SVG.
pub(super) struct Text {
    /// The number of the group of texts that it is in: labels of a panel, then its cells.
    group: usize,
    /// The line, which a `<tspan>` without one shares with the one before.
    pub(super) y: i64,
    pub(super) x: i64,
    pub(super) is_label: bool,
    is_hatched: bool,
    pub(super) text: String,
}

/// Every text of a panel, group by group, from the left to the right and row after row.
pub(super) fn texts(svg: &str) -> Vec<Text> {
    let mut found = Vec::new();
    for (number, group) in svg.split("<g class=\"").skip(1).enumerate() {
        let is_label = group.starts_with("tl-l");
        let group_end = group.split("</g>").next().unwrap_or_default();
        for parent in group_end.split("<text").skip(1) {
            let (mut y, mut is_hatched) = (None, false);
            for part in parent.split("</text>").next().unwrap_or_default().split("<tspan") {
                let (tag, rest) = part.split_once('>').expect("a tag ends");
                y = attribute(tag, "y").or(y);
                is_hatched |= tag.contains("tl-q");
                let text = rest.split('<').next().unwrap_or_default().to_owned();
                // A `<text>` of spans has no column of its own.
                if let Some(x) = attribute(tag, "x") {
                    let y = y.expect("a line");
                    found.push(Text { group: number, y, x, is_label, is_hatched, text });
                }
            }
        }
    }
    found.sort_by_key(|text| (text.group, text.y, text.x));
    found
}

/// The value of an attribute, such as `x`.
fn attribute(tag: &str, name: &str) -> Option<i64> {
    let rest = tag.split_once(&format!(" {name}=\""))?.1;
    rest.split_once('"')?.0.parse().ok()
}

/// The cells of an SVG, panel by panel.
pub(super) fn svg(picture: &str) -> Vec<Cell> {
    let cells = texts(picture).into_iter().filter(|text| !text.is_label);
    cells.map(|text| (text.text, text.is_hatched)).collect()
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
