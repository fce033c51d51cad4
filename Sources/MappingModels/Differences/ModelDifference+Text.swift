extension ModelDifference {
    /// The differences for people to read: grouped by entity, aligned, one line each, with the risk and its reason.
    public var text: String {
        guard !isEmpty else { return "no differences\n" }
        var blocks = entities.map(\.text)
        if !changes.isEmpty {
            blocks.append("model\n" + TextTable.lines(changes.map { TextTable.row(for: $0, of: nil) }))
        }
        return blocks.joined(separator: "\n")
    }
}

extension EntityDifference {
    /// A line for the entity, and an indented one for each difference.
    var text: String {
        var title = "\(kind.sign) entity \(name)"
        if let formerName { title += " (was \(formerName))" }
        var notes: [String] = []
        if ownRisk != .none { notes.append(ownRisk.rawValue) }
        if let explanation { notes.append(explanation) }
        if !notes.isEmpty { title += "   " + notes.joined(separator: ": ") }
        if kind == .changed || kind == .renamed {
            title += changesVersionHash ? "   [other version hash]" : "   [same version hash]"
        }
        let rows = TextTable.rows(for: changes, of: kind, named: nil) + properties.flatMap(TextTable.rows)
        return title + "\n" + TextTable.lines(rows)
    }
}
