/// The findings of a run, with those that are silenced apart.
public struct LintReport: Sendable {
    /// A finding with the entry that silences it.
    public struct Silenced: Sendable {
        /// What was found.
        public let finding: LintFinding
        /// The entry of the file of silences that fits it.
        public let silence: LintSilence
    }

    /// The findings that no entry silences.
    public let findings: [LintFinding]
    /// The findings that entries silence, with these.
    public let silenced: [Silenced]

    /// Sorts findings out by the entries that fit them.
    ///
    /// - Parameters:
    ///   - findings: what the rules have found.
    ///   - silences: the file of silences; nil if there is none.
    ///   - scopes: which rules were at work: an entry for others is not called unused.
    ///   - versions: the names of the versions that were looked at, for the same reason.
    ///   - known: the names of all versions that there are: an entry for another one is unused in any case; nil if
    ///     they are not known.
    public init(
        _ findings: [LintFinding], silences: LintSilences?, scopes: Set<LintCode.Scope>, versions: Set<String>,
        known: Set<String>? = nil
    ) {
        guard let silences else {
            self.findings = findings
            silenced = []
            return
        }
        var remaining: [LintFinding] = []
        var silenced: [Silenced] = []
        var used: Set<Int> = []
        for finding in findings {
            let fitting = silences.entries.indices.filter { silences.entries[$0].fits(finding) }
            used.formUnion(fitting)
            if let first = fitting.first {
                silenced.append(Silenced(finding: finding, silence: silences.entries[first]))
            } else {
                remaining.append(finding)
            }
        }
        for (index, entry) in silences.entries.enumerated() where !used.contains(index) {
            let isOfNone = known.map { !entry.isOf($0) } ?? false
            guard scopes.contains(entry.code.scope), entry.isOf(versions) || isOfNone else { continue }
            remaining.append(
                LintFinding(
                    .unusedSilence, version: entry.version ?? "", entity: entry.entity, property: entry.property,
                    file: silences.path, line: entry.line,
                    message: "no finding \(entry.code.rawValue) is silenced by this entry"))
        }
        self.findings = remaining
        self.silenced = silenced
    }

    /// The greatest severity of the findings; nil if there are none.
    public var severity: LintSeverity? { findings.map(\.severity).max() }

    /// How many findings have a severity, without those that are silenced.
    public func count(_ severity: LintSeverity) -> Int {
        findings.count { $0.severity == severity }
    }
}
