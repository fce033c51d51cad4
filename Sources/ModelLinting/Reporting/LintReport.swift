/// The findings of a run, separated by whether they are silenced.
public struct LintReport: Sendable {
    /// A finding with the entry that silences it.
    public struct Silenced: Sendable {
        /// The finding.
        public let finding: LintFinding
        /// The matching entry of the file of silences.
        public let silence: LintSilence
    }

    /// The findings that are not silenced.
    public let findings: [LintFinding]
    /// The findings that are silenced, with their entries.
    public let silenced: [Silenced]

    /// Separates findings by matching entries.
    ///
    /// - Parameters:
    ///   - findings: the findings of the rules.
    ///   - silences: the file of silences; nil if there is none.
    ///   - scopes: the kinds of rules that were run: entries for others are not reported as unused.
    ///   - versions: the names of the checked versions, for the same purpose.
    ///   - known: the names of all existing versions: an entry for any other is always unused; nil if unknown.
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

    /// The highest severity of the findings; nil if there are none.
    public var severity: LintSeverity? { findings.map(\.severity).max() }

    /// Returns the number of findings with a severity, without silenced ones.
    public func count(_ severity: LintSeverity) -> Int {
        findings.count { $0.severity == severity }
    }
}
