"""chart.py OUTPUT CPU SVG - draws the table of a run as bars: memcpy's time over that of each, up to that of memcpy."""

import html
import sys

STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.note { fill: #59636e }
.line { stroke: #d1d9e0 }
.derived { fill: #0969da } .plan { fill: #54aeff } .plain { fill: #afb8c1 } .crate { fill: #8c959f }
.oneDNN { fill: #bf8700 } .PyTorch { fill: #cf222e }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .note { fill: #9198a1 }
  .line { stroke: #3d444d }
  .derived { fill: #4493f8 } .plan { fill: #79c0ff } .plain { fill: #656c76 } .crate { fill: #9198a1 }
  .oneDNN { fill: #d29922 } .PyTorch { fill: #f85149 }
}
"""
LEFT, RIGHT, BAR, GAP, TOP = 380, 30, 11, 14, 58
SCALE = 440  # Of memcpy.


def table(text):
    """The heads and rows of the last table of a text."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    start = max(i for i, line in enumerate(lines) if line.startswith("| move |"))
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[start:]]
    return cells[0], [row for row in cells[1:] if not row[0].startswith("---")]


def main(output, cpu, path):
    with open(output, encoding="utf-8") as file:
        heads, rows = table(file.read())
    kinds = {"plain loops": "plain", "best other crate": "crate"}
    names = heads[1:]
    row_height = len(names) * BAR + GAP
    width, height = LEFT + SCALE + RIGHT + 60, TOP + len(rows) * row_height + 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<title>Speed of relayouts beside memcpy on {html.escape(cpu)}</title><style>{STYLE}</style>",
        f'<text class="note" x="{LEFT}" y="16">memcpy\'s time over that of each; 1 is as fast as a copy</text>',
    ]
    # Wide enough for any font.
    x = LEFT + SCALE - sum(30 + 8 * len(name) for name in names)
    for name in names:
        parts.append(f'<rect class="{kinds.get(name, name)}" x="{x}" y="26" width="10" height="10"/>')
        parts.append(f'<text x="{x + 14}" y="36">{name}</text>')
        x += 30 + 8 * len(name)
    for step in range(0, 5):
        at, bottom = LEFT + SCALE * step // 4, TOP + len(rows) * row_height
        parts.append(f'<line class="line" x1="{at}" x2="{at}" y1="{TOP - 8}" y2="{bottom}"/>')
        parts.append(f'<text class="note" x="{at}" y="{bottom + 16}" text-anchor="middle">{step / 4:g}</text>')
    for number, row in enumerate(rows):
        top = TOP + number * row_height
        label = html.escape(row[0].replace("`", ""))
        middle = top + len(names) * BAR / 2 + 4
        parts.append(f'<text x="{LEFT - 10}" y="{middle:g}" text-anchor="end">{label}</text>')
        for place, (name, cell) in enumerate(zip(names, row[1:])):
            value, _, of = cell.partition(" ")
            if value in ("", "-"):
                continue
            y, length = top + place * BAR, min(float(value), 1.1) * SCALE
            parts.append(f'<rect class="{kinds.get(name, name)}" x="{LEFT}" y="{y}" width="{length:.0f}" height="{BAR - 1}"/>')
            if of:
                parts.append(
                    f'<text class="note" style="font-size:10px" x="{LEFT + length + 4:.0f}" y="{y + 9}">{of.strip("()")}</text>'
                )
    parts.append(f'<text class="note" x="{LEFT}" y="{height - 4}">{html.escape(cpu)}, one core</text></svg>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n")


main(*sys.argv[1:])
