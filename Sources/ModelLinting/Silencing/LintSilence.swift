/// An entry in the file of silences: known findings, and the reason why they are accepted.
public struct LintSilence: Sendable, Hashable {
    /// The code of the silenced findings.
    public let code: LintCode

    /// The entity whose findings are silenced; nil for all.
    public let entity: String?

    /// The property whose findings are silenced; nil for all.
    public let property: String?

    /// The version whose findings are silenced, with or without its bundle's name; nil for all.
    public let version: String?

    /// The reason why the findings are accepted, as in the file.
    public let reason: String

    /// The line of the entry in its file.
    public let line: Int

    func fits(_ finding: LintFinding) -> Bool {
        guard finding.code == code, entity == nil || entity == finding.entity,
            property == nil || property == finding.property
        else { return false }
        return isOf([finding.version])
    }

    /// Returns whether the entry applies to one of these versions, given by their names with their bundles'.
    func isOf(_ versions: Set<String>) -> Bool {
        guard let version else { return true }
        return versions.contains { $0 == version || $0.hasSuffix("/" + version) }
    }
}
