import PersistentStores

extension MigrationPlan: CustomStringConvertible {
    /// The plan as `--dry-run` prints it.
    public var description: String { text(way: nil) }

    /// - Parameter way: the kind of step and the reason for it; nil if it is not printed.
    func text(way: String?) -> String {
        var lines = [
            "Migration of \(shownPath)",
            "  from   \(sourceVersion)",
            "  to     \(destinationVersion)" + (configuration.map { ", both of the configuration \($0)" } ?? ""),
            "  result \(resultText)",
            way.map { "  by     \($0)" },
            "  method \(methodText)",
            writerText.map { "  writer \($0)" },
        ].compactMap(\.self)
        if !entities.isEmpty { lines += ["Entity mappings"] + entityLines }
        if keptTables.contains(where: { KeptTables.history.contains($0.uppercased()) }) {
            lines.append("History: kept")
        }
        if method != .nothing || bytesNeeded > 0 { lines += spaceLines }
        lines += findings.sorted { $0.severity > $1.severity }.flatMap(\.lines)
        lines.append("Verdict: " + verdict)
        return lines.joined(separator: "\n") + "\n"
    }

    var methodText: String { "\(method == .nothing ? "none" : method.rawValue): \(methodReason)" }

    /// How the tables of a new file are written by default; nil if there is no new file.
    private var writerText: String? {
        guard method == .newFile, let program else { return nil }
        func text(_ tables: Set<String>) -> String {
            "the builder for \(tables.sorted().joined(separator: ", ")), and SQLite for the rest"
        }
        if let linked = LinkedProgram(program) { return text(linked.tables) }
        let steps = BuildableSteps(program)
        guard steps.declined.isEmpty else { return "SQLite: " + steps.declined.joined(separator: "; ") }
        let policies = steps.policies.compactMap { position in
            if case .policy(let policy) = program.steps[position].work { policy.table } else { nil }
        }
        return text(Set(steps.fills.map { program.steps[$0].table } + policies))
    }

    var spaceLines: [String] {
        var lines = ["Space: needs up to " + Self.space(bytesNeeded, free: bytesFree)]
        if let backupSpace {
            lines.append(
                "Backup: needs \(Self.space(backupSpace.bytesNeeded, free: backupSpace.bytesFree)) on its file system")
        }
        return lines
    }

    private static func space(_ needed: Int64, free: Int64?) -> String {
        Quantity.bytes(needed) + (free.map { ", \(Quantity.bytes($0)) are free" } ?? "")
    }

    var entityLines: [String] {
        var columns = TextColumns(rightAligned: [2])
        columns.add("mapping", "tier", "rows", "how")
        for entity in entities {
            columns.add(
                entity.mapping, entity.tier.rawValue, entity.rows.map { Quantity.count($0) } ?? "-", entity.reason)
        }
        return columns.lines()
    }

    var resultText: String {
        switch placement {
        case .output(let path): "goes to the new store \(path)"
        case .replace(let backup): "takes the store's place, as one unit" + backupText(backup)
        case .inPlace(let backup): "changes the store itself, in one transaction" + backupText(backup)
        }
    }

    private func backupText(_ backup: String?) -> String {
        backup.map { "; the old files go to \($0)" } ?? ""
    }

    /// A sentence about the result of executing the plan.
    public var verdict: String {
        if isUpToDate { return "nothing to do: the store is at \(destinationVersion)" }
        switch severity {
        case .error: return "refused; nothing would change"
        case _ where findings.leaveDataUnchecked: return MigrationFinding.unknownVerdict
        case .warning: return "would succeed, with findings"
        case .note, nil: return "would succeed"
        }
    }
}

extension Sequence<MigrationFinding> {
    /// Whether the findings include that a dry run cannot check some data.
    var leaveDataUnchecked: Bool { contains { $0.code == "data-not-checked" } }
}

extension MigrationFinding {
    /// The verdict on a plan if some data were not checked.
    static let unknownVerdict = "not known: see what was not checked"

    /// The finding for users: the problem and its place, then some of the objects.
    public var lines: [String] {
        let numbers = [cocoaCode.map { "error \($0)" }, count.map { "\(Quantity.count($0)) found" }]
            .compactMap { $0 }.joined(separator: ", ")
        let head = "\(severity.rawValue): " + (subject.map { "\($0): " } ?? "") + message
        return [head + " [\(code)\(numbers.isEmpty ? "" : "; " + numbers)]"]
            + examples.enumerated().map { index, uri in
                "    \(uri)" + (values.flatMap { $0.indices.contains(index) ? ": \($0[index])" : nil } ?? "")
            }
    }
}
