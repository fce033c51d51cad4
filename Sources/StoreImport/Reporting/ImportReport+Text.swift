import PersistentStores
import RecordSources

extension RejectionCount {
    /// The line in the report, such as `  1 204  numberTooLarge [1610] Employee.salary`.
    fileprivate var line: String {
        let subject = [entity, property].compactMap(\.self).joined(separator: ".")
        return "  \(Quantity.count(count))  \(error) [\(code)]" + (subject.isEmpty ? "" : " " + subject)
    }
}

extension ImportReport: CustomStringConvertible {
    /// The number of sources that are listed; if there are more than fit on a screen, they are combined.
    static let shownSources = 20

    private var entityLines: [String] {
        var counts: [(name: String, count: KeyPath<EntityReport, Int64>)] = [
            ("inserted", \.inserted), ("updated", \.updated), ("unchanged", \.unchanged), ("skipped", \.skipped),
            ("rejected", \.rejected), ("related", \.related), ("unrelated", \.unrelated),
        ]
        // Few imports delete objects.
        if entities.contains(where: { $0.deleted > 0 }) { counts.append(("deleted", \.deleted)) }
        var columns = TextColumns(rightAligned: Set(1...counts.count))
        columns.add(["Entity"] + counts.map(\.name))
        for entity in entities {
            columns.add([entity.entity] + counts.map { Quantity.count(entity[keyPath: $0.count]) })
        }
        return columns.lines()
    }

    private static func counts(_ sources: some Sequence<SourceReport>) -> String {
        let (records, rejected, filtered) = sources.reduce(into: (Int64(0), Int64(0), Int64(0))) { sum, source in
            sum.0 += source.records
            sum.1 += source.rejected
            sum.2 += source.filtered
        }
        return "\(Quantity.count(records, "record")), \(Quantity.count(rejected)) rejected"
            + (filtered > 0 ? ", \(Quantity.count(filtered)) left out by the filter" : "")
    }

    /// Returns a line for each further fault of one of the first rejected records.
    public func otherFaults(of index: Int) -> [String] {
        guard let firstFaults, firstFaults.indices.contains(index) else { return [] }
        let record = firstFaults[index]
        let hidden = record.faultCount - record.faults.count
        return record.faults.dropFirst().map(\.text)
            + (hidden > 0
                ? ["\(Quantity.count(Int64(hidden), "more fault")); with --rejects the log has all of them"] : [])
    }

    /// The report for users: a line for each entity, the rejected records, then the totals.
    public var description: String {
        var lines = [isDryRun ? "Would import into \(store); nothing was changed" : "Imported into \(store)"]
        lines += entityLines
        lines += sources.prefix(Self.shownSources).map { source in
            StreamInput.title(of: source.name) + (source.part.map { " (\($0))" } ?? "") + ": "
                + Self.counts([source])
                + (source.guessedEncoding.map { "; read as \($0), a guess: a mapping may name the \"encoding\"" } ?? "")
        }
        let others = sources.dropFirst(Self.shownSources)
        if !others.isEmpty {
            let guesses = Set(others.compactMap(\.guessedEncoding)).sorted().joined(separator: " and ")
            lines.append(
                "\(Quantity.count(Int64(others.count), "other source")): " + Self.counts(others)
                    + (guesses.isEmpty ? "" : "; some read as \(guesses), a guess"))
        }
        for (index, rejection) in firstRejections.enumerated() {
            lines.append("rejected: \(rejection)")
            lines += otherFaults(of: index).map { "  and: \($0)" }
        }
        if rejected > Int64(firstRejections.count), let rejections, !rejections.isEmpty {
            lines.append("faults of all \(Quantity.count(rejected)) rejected records:")
            lines += rejections.map(\.line)
        }
        lines += findings.map { "warning: \($0)" }
        if unresolvedLinks > 0 {
            lines.append(
                "warning: \(Quantity.count(unresolvedLinks, "link leads", plural: "links lead")) to objects that do not exist"
                    + (unresolvedLinks > Self.shownLinks ? "; with --rejects the log has all of them" : ""))
        }
        if roundedDecimals > 0 {
            lines.append(
                "warning: \(Quantity.count(roundedDecimals, "decimal is", plural: "decimals are")) rounded: a store keeps fifteen "
                    + "digits, or a whole number of 64 bits")
        }
        if isDryRun, let writer {
            lines.append(writer == .builder ? "The builder writes the rows" : "SQLite writes the rows")
        }
        if let lookupReasons, !lookupReasons.isEmpty {
            lines.append("Objects were looked up in a working file: \(lookupReasons.joined(separator: "; "))")
        }
        if isDryRun, let peakSpace {
            let free = freeSpace.map { ", where \(Quantity.bytes($0)) are free" } ?? ""
            lines.append("Space needed in the folder of the store: \(Quantity.bytes(peakSpace))\(free)")
        }
        let records = sources.reduce(0) { $0 + $1.records }
        let rate = seconds > 0 ? Int64((Double(records) / seconds).rounded()) : records
        lines.append(
            "Total: \(Quantity.count(records, "record")) in \(Quantity.duration(seconds)), \(Quantity.count(rate))/s, "
                + "peak memory \(Quantity.bytes(peakMemory))")
        return lines.joined(separator: "\n") + "\n"
    }
}
