extension MigrationReport: CustomStringConvertible {
    /// The report for a person: a line per entity mapping, then the totals.
    public var description: String {
        var lines = ["Migrated \(store) from \(sourceVersion) to \(destinationVersion): \(method), \(result)"]
        if method == MigrationPlan.Method.nothing.rawValue {
            lines[0] = "\(store) is at \(destinationVersion) already: nothing to do"
            return lines[0] + "\n"
        }
        var columns = TextColumns(rightAligned: [2, 3, 4, 5])
        columns.add("Entity mapping", "Tier", "read", "written", "dropped", "seconds")
        for entity in entities {
            func text(_ count: Int64?) -> String { count.map(Quantity.count) ?? "-" }
            columns.add(
                entity.mapping, entity.tier.rawValue, text(entity.read), text(entity.written), text(entity.dropped),
                Quantity.decimal(entity.seconds, 2))
        }
        lines += columns.lines()
        if !keptTables.isEmpty { lines.append("Kept as they are: " + keptTables.joined(separator: ", ")) }
        lines += findings.flatMap(\.lines)
        lines.append(
            "Total: \(Quantity.count(rowsRead)) read, \(Quantity.count(rowsWritten)) written, "
                + "\(Quantity.count(rowsDropped)) dropped; \(Quantity.duration(seconds)), "
                + "peak memory \(Quantity.bytes(peakMemory))")
        if let backup { lines.append("The old files are in \(backup)") }
        return lines.joined(separator: "\n") + "\n"
    }
}
