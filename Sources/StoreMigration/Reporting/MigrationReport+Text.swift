import PersistentStores

extension MigrationReport: CustomStringConvertible {
    /// The report for users: a line for each entity mapping, then the totals.
    public var description: String {
        let isElsewhere = result != store
        if method == MigrationPlan.Method.nothing.rawValue {
            return "\(store) is at \(destinationVersion) already: "
                + (isElsewhere ? "copied to \(result)\n" : "nothing to do\n")
        }
        var lines = ["Migrated \(store) from \(sourceVersion) to \(destinationVersion) (\(method))"]
        if isElsewhere { lines.append("  into \(result)") }
        lines += entityLines
        lines += findings.sorted { $0.severity > $1.severity }.flatMap(\.lines)
        let rows =
            entities.contains { $0.read != nil }
            ? "\(Quantity.count(rowsRead)) read, \(Quantity.count(rowsWritten)) written, "
                + "\(Quantity.count(rowsDropped)) dropped"
            : "rows were not counted"
        lines.append(
            "Total: \(rows); \(Quantity.duration(seconds)), peak memory \(Quantity.bytes(peakMemory))")
        if let backup { lines.append("The old files are in \(backup)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A line for each entity mapping.
    var entityLines: [String] {
        var columns = TextColumns(rightAligned: [2, 3, 4, 5])
        columns.add("mapping", "tier", "read", "written", "dropped", "seconds")
        for entity in entities {
            func text(_ count: Int64?) -> String { count.map(Quantity.count) ?? "-" }
            columns.add(
                entity.mapping, entity.tier.rawValue, text(entity.read), text(entity.written), text(entity.dropped),
                Quantity.decimal(entity.seconds, 2))
        }
        return columns.lines()
    }
}
