/// Why a repair is refused; the store is unchanged.
public struct RepairError: Error, Sendable, CustomStringConvertible {
    /// The kind of the error.
    public enum Code: Sendable, Hashable {
        /// Faults of the rule cannot be repaired.
        case notRepairable(String)
        /// The repaired copy has faults that the store did not have.
        case newFaults([String])
        /// The new file could not have these faults either, but their repair was not requested.
        case unavoidable([String])
        /// `newest` does not name an attribute of an entity that has duplicates.
        case unknownAttribute(String, entity: String)
        /// SQLite rejected a statement.
        case refused(String, sql: String)
    }

    /// The kind of the error.
    public let code: Code
    /// The path of the store.
    public let path: String

    public var description: String { "\(path): \(sentence)" }

    private var sentence: String {
        switch code {
        case .notRepairable(let rule): "the rule \(rule) has no repair; correct it in the app or by hand"
        case .newFaults(let faults):
            "the repaired copy has faults that the store does not have (\(faults.joined(separator: ", "))); name "
                + "these rules "
                + "with --fix too; nothing has changed"
        case .unavoidable(let rules):
            "a file of this type is written with both directions of every link, so that these faults would go too "
                + "(\(rules.joined(separator: ", "))); name these rules with --fix; nothing has changed"
        case .unknownAttribute(let attribute, let entity):
            "\(entity) has no stored attribute \"\(attribute)\" to tell the newest by"
        case .refused(let reason, let sql): "\(reason), at: \(sql.prefix(200)); nothing has changed"
        }
    }
}
