import PersistentStores

extension ChainReport: CustomStringConvertible {
    /// The report for users: the steps one by one, then the totals.
    public var description: String {
        if let single {
            return resumedAt == nil ? single.description : "Continued an earlier run\n" + single.description
        }
        var lines = ["Migrated \(store) from \(sourceVersion) to \(destinationVersion) in \(stepCount) steps"]
        if result != store { lines.append("  into \(result)") }
        if resumedAt != nil { lines.append("  an earlier run did the steps before") }
        for step in steps {
            let seconds = step.migration.map { "; \(Quantity.duration($0.seconds))" } ?? ""
            lines.append(
                "Step \(step.number) of \(stepCount): \(step.source) to \(step.destination) by \(step.by)"
                    + (step.migration.map { " (\($0.method))" } ?? "") + seconds)
            lines += step.migration?.entityLines ?? []
            lines += step.edits.map { edit in
                "  \(edit.text)" + (edit.objects.map { ": \(Quantity.count($0)) objects" } ?? "")
            }
        }
        lines += findings.sorted { $0.severity > $1.severity }.flatMap(\.lines)
        lines.append(
            "Total: \(Quantity.count(rowsRead)) read, \(Quantity.count(rowsWritten)) written; "
                + "\(Quantity.duration(seconds)), peak memory \(Quantity.bytes(peakMemory))")
        if let backup { lines.append("The old files are in \(backup)") }
        return lines.joined(separator: "\n") + "\n"
    }
}
