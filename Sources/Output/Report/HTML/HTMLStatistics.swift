// SPDX-License-Identifier: MIT

import Trace

/// Times of exchanges by command, as a table.
enum HTMLStatistics {
    private static let rowLimit = 40

    /// Writes the table in a part that opens on demand; nothing without exchanges.
    static func write(_ statistics: ExchangeStatistics, title: String, to html: inout HTMLText) {
        let rows = statistics.rows
        guard !rows.isEmpty else { return }
        html.markup("<details class=\"stat\"><summary>")
        html.text("\(title) (\(rows.count) \(rows.count == 1 ? "command" : "commands"))")
        html.markup("</summary><div class=\"sc\" tabindex=\"0\" role=\"region\"")
        html.attribute("aria-label", title)
        html.markup("><table><thead><tr><th scope=\"col\">command</th>")
        for word in ["count", "min ms", "p50 ms", "p95 ms", "p99 ms", "max ms"] {
            html.markup("<th scope=\"col\" class=\"n\">")
            html.text(word)
            html.markup("</th>")
        }
        html.markup("</tr></thead><tbody>\n")
        for row in rows.prefix(rowLimit) {
            html.markup("<tr><th scope=\"row\">")
            html.text(LimitedText.shortened(row.name, limit: 80))
            html.markup("</th>")
            html.element("td", class: "n", String(row.count))
            for value in [row.minimum, row.p50, row.p95, row.p99, row.maximum] {
                html.element("td", class: "n", HTMLNumber.milliseconds(value))
            }
            html.markup("</tr>\n")
        }
        html.markup("</tbody></table></div>")
        if rows.count > rowLimit {
            html.element("p", class: "gp", "… \(rows.count - rowLimit) commands more; see trace stats …")
        }
        html.markup("</details>\n")
    }
}
