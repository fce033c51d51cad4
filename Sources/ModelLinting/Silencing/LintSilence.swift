/// An entry of the file of silences: findings that are known, and why they are left.
public struct LintSilence: Sendable, Hashable {
    /// The code of the findings that are silenced.
    public let code: LintCode

    /// The entity whose findings are silenced; nil for all.
    public let entity: String?

    /// The property whose findings are silenced; nil for all.
    public let property: String?

    /// The version whose findings are silenced, by its name with or without its bundle's; nil for all.
    public let version: String?

    /// Why the findings are left as they are, in the words of the file.
    public let reason: String

    /// Where the entry begins in its file.
    public let line: Int

    func fits(_ finding: LintFinding) -> Bool {
        guard finding.code == code, entity == nil || entity == finding.entity,
            property == nil || property == finding.property
        else { return false }
        return isOf([finding.version])
    }

    /// Whether it is for one of these versions, given by their names with their bundles'.
    func isOf(_ versions: Set<String>) -> Bool {
        guard let version else { return true }
        return versions.contains { $0 == version || $0.hasSuffix("/" + version) }
    }
}
