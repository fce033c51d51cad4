/// Arranges the lines of a difference in columns: sign, subject, change, risk with reason.
enum TextTable {
    struct Row {
        let sign: String
        let subject: String
        let change: String
        let note: String
    }

    /// The maximum width in characters: wider cells do not move the column of the others.
    private static let widestColumn = 44

    static func rows(for property: PropertyDifference) -> [Row] {
        var result: [Row] = []
        if property.kind != .changed {
            let change =
                property.formerName.map { "was \($0)" }
                ?? [property.property.rawValue, property.summary ?? ""]
                .filter { !$0.isEmpty }.joined(separator: ": ")
            result.append(
                Row(
                    sign: property.kind.sign, subject: property.name, change: change,
                    note: note(property.ownRisk, property.explanation)))
        }
        return result + rows(for: property.changes, of: property.kind, named: property.name)
    }

    /// Returns the rows of changes, without the identifier by which a renamed part was found, which adds nothing.
    static func rows(for changes: [FacetChange], of kind: DifferenceKind, named name: String?) -> [Row] {
        changes.filter { kind != .renamed || $0.facet != .renamingIdentifier }.map { row(for: $0, of: name) }
    }

    static func row(for change: FacetChange, of property: String?) -> Row {
        var label = change.facet.label
        if let detail = change.detail, detail != change.old, detail != change.new { label += " \(detail)" }
        let values: String
        switch (change.old, change.new) {
        case (let old?, let new?): values = "\(old) -> \(new)"
        case (nil, let new?): values = "+ \(new)"
        case (let old?, nil): values = "- \(old)"
        case (nil, nil): values = ""
        }
        return Row(
            sign: "~", subject: property ?? "(itself)", change: "\(label): \(values)",
            note: note(change.risk, change.explanation))
    }

    static func lines(_ rows: [Row]) -> String {
        let subjects = width(rows.map(\.subject))
        let changes = width(rows.map(\.change))
        return rows.map { row in
            let line =
                "  \(row.sign) " + padded(row.subject, to: subjects) + "  "
                + (row.note.isEmpty ? row.change : padded(row.change, to: changes) + "  " + row.note)
            return line + "\n"
        }.joined()
    }

    private static func note(_ risk: ChangeRisk, _ explanation: String?) -> String {
        [risk == .none ? "" : risk.rawValue, explanation ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
    }

    private static func width(_ cells: [String]) -> Int {
        cells.map(\.count).filter { $0 <= widestColumn }.max() ?? 0
    }

    private static func padded(_ cell: String, to width: Int) -> String {
        cell + String(repeating: " ", count: max(0, width - cell.count))
    }
}
