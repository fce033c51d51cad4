import PersistentStores

extension FleetSummary: CustomStringConvertible {
    /// A text for people; its wording may change.
    public var description: String {
        var lines = [
            "\(manifest): \(Quantity.count(stores, "store")) (\(Quantity.bytes(bytes))) in "
                + "\(Quantity.count(Int64(shards), "shard")), to \(operation.rawValue)"
        ]
        if duplicates > 0 { lines.append("named more than once: \(Quantity.count(duplicates, "store"))") }
        for (version, count) in versions.sorted(by: { $0.key < $1.key }) {
            lines.append("version \(version): \(Quantity.count(count, "store"))")
        }
        for (problem, count) in problems.sorted(by: { $0.key < $1.key }) {
            lines.append("will fail, \(problem): \(Quantity.count(count, "store"))")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension ShardReport: CustomStringConvertible {
    /// A text for people; its wording may change.
    public var description: String {
        var text = "shard \(shard): \(Quantity.count(done)) done, \(Quantity.count(failed)) failed"
        if temporary > 0 { text += " (\(Quantity.count(temporary)) for a reason that may pass)" }
        if skipped > 0 { text += "; \(Quantity.count(skipped)) by earlier runs" }
        if isCancelled { text += "; ended before it was through: run it again" }
        return text + "; \(Quantity.duration(seconds))\n"
    }
}

extension FleetStatus: CustomStringConvertible {
    /// A text for people; its wording may change.
    public var description: String {
        var lines = [
            "\(Quantity.count(total, "store")): \(Quantity.count(done)) done, \(Quantity.count(failed)) failed, "
                + "\(Quantity.count(pending)) pending"
        ]
        lines += byReason.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
            "failed, \($0.key): \(Quantity.count($0.value))"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension FleetReport: CustomStringConvertible {
    /// A text for people; its wording may change.
    public var description: String {
        var lines = ["fleet \(manifest), to \(operation.rawValue)", status.description.trimmedNewline]
        for change in changes {
            lines.append("\(change.from ?? "?") -> \(change.to ?? "?"): \(Quantity.count(change.stores, "store"))")
        }
        if warnings > 0 { lines.append("warnings: \(Quantity.count(warnings))") }
        for finding in findings {
            lines.append(
                "\(finding.severity), \(finding.code): \(Quantity.count(finding.stores, "store"))"
                    + (finding.count > 0 ? ", \(Quantity.count(finding.count)) in all" : ""))
        }
        for reason in reasons {
            lines.append(
                "\(reason.reason): \(Quantity.count(reason.stores, "store"))"
                    + (reason.isTemporary ? ", may pass" : ""))
            lines += reason.examples.map { "  \($0)" }
            lines.append("  \(reason.message)")
        }
        lines.append(
            (objects > 0 ? Quantity.count(objects, "object") + ", " : "")
                + "\(Quantity.bytes(bytes)) in \(Quantity.duration(secondsElapsed)); "
                + "\(Quantity.duration(secondsOfWork)) of work")
        if !stragglers.isEmpty { lines.append("slowest:") }
        lines += stragglers.map {
            "  \(Quantity.duration($0.seconds)) \($0.store) (\(Quantity.bytes($0.bytes)), shard \($0.shard))"
        }
        if !again.isEmpty { lines.append("to run again:") }
        lines += again.map {
            "  --shard \($0.shard)/\(shards): \(Quantity.count($0.pending)) pending, "
                + "\(Quantity.count($0.temporary)) failed for a reason that may pass"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    fileprivate var trimmedNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
