import FoundationEssentials
import PersistentStores

extension FleetReport {
    /// One page that needs no other file and no script.
    public var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>Fleet \(Self.escaped(FileSystem.name(of: manifest)))</title>
        <style>
        body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 62em; padding: 0 1em; }
        table { border-collapse: collapse; width: 100%; margin-bottom: 2em; }
        th, td { text-align: left; padding: .25em .6em; border-bottom: 1px solid #8884; vertical-align: top; }
        td.n { text-align: right; white-space: nowrap; }
        meter { width: 16em; }
        code { overflow-wrap: anywhere; }
        </style>
        </head>
        <body>
        <h1>Fleet \(Self.escaped(FileSystem.name(of: manifest))): \(operation.rawValue)</h1>
        <p>\(Self.escaped(status.description.replacing("\n", with: "; "))) \(Quantity.bytes(bytes)) in
        \(Quantity.duration(secondsElapsed)), \(Quantity.duration(secondsOfWork)) of work.</p>
        \(section("Versions", ["Before", "After", "Stores"], changes.map {
            [Self.escaped($0.from ?? "?"), Self.escaped($0.to ?? "?"), number($0.stores)]
        }))
        \(section("Failures by reason", ["Reason", "Stores", "Examples", "Message of the first"], reasons.map {
            [Self.escaped($0.reason) + ($0.isTemporary ? " (may pass)" : ""), number($0.stores),
             $0.examples.map { "<code>\(Self.escaped($0))</code>" }.joined(separator: "<br>"),
             Self.escaped($0.message)]
        }))
        \(bins("Sizes", sizes) { "below " + Quantity.bytes(Int64(clamping: Int(min($0, 9e18)))) })
        \(bins("Times", times) { "below \($0) s" })
        \(section("Throughput", ["From (UTC)", "Stores", "Stores/s", "Bytes/s"], throughput.map {
            [Date(timeIntervalSince1970: $0.start).ISO8601Format(), number($0.stores),
             Quantity.decimal(Double($0.stores) / $0.seconds, 2),
             Quantity.bytes(Int64(clamping: Int(min(Double($0.bytes) / $0.seconds, 9e18))))]
        }))
        \(section("Slowest stores", ["Store", "Time", "Size", "Shard"], stragglers.map {
            ["<code>\(Self.escaped($0.store))</code>", Quantity.duration($0.seconds), Quantity.bytes($0.bytes),
             "\($0.shard)"]
        }))
        \(section("To run again", ["Shard", "Pending", "Failed for a reason that may pass"], again.map {
            ["<code>--shard \($0.shard)/\(shards)</code>", number($0.pending), number($0.temporary)]
        }))
        </body>
        </html>

        """
    }

    private func section(_ title: String, _ heads: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        let head = heads.map { "<th>\($0)</th>" }.joined()
        let body = rows.map { "<tr>" + $0.map { "<td>\($0)</td>" }.joined() + "</tr>" }.joined(separator: "\n")
        return "<h2>\(title)</h2>\n<table>\n<tr>\(head)</tr>\n\(body)\n</table>"
    }

    private func bins(_ title: String, _ bins: [Bin], _ label: (Double) -> String) -> String {
        let most = bins.map(\.stores).max() ?? 1
        return section(
            title, ["", "Stores", ""],
            bins.map {
                [
                    label($0.below), number($0.stores),
                    "<meter min=\"0\" max=\"\(most)\" value=\"\($0.stores)\"></meter>",
                ]
            })
    }

    private func number(_ value: Int64) -> String { Quantity.count(value) }

    /// Text of stores, where nothing may be taken for markup.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
