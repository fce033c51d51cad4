import StoreConversion

extension VerificationRule {
    /// Whether the rule applies to a store that is not a SQLite store: to its file, its objects and their links.
    public var concernsAtomicStores: Bool {
        switch self {
        case .entityNumberWrong, .primaryKeyBehind, .historyInconsistent, .tableMissing, .columnMissing, .columnSurplus,
            .columnType, .tableUnusual, .indexMissing, .uniquenessUnguarded, .unknownObject, .wrongEntity,
            .lockCounterInvalid, .formerEntityOrder, .externalValueMalformed, .externalFileMissing, .externalFileEmpty,
            .externalFileUnused,
            .entityColumnWrong, .orderKeys, .danglingJoinRow:
            false
        default: true
        }
    }

    /// The corresponding rule for such a store, which has no join tables: a link of any relationship is a reference.
    var inAtomicStore: VerificationRule { self == .danglingJoinRow ? .danglingReference : self }

    /// Returns the rules for a SQLite store's objects that correspond to these rules for other types.
    static func standingFor(_ rules: Set<VerificationRule>) -> Set<VerificationRule> {
        rules.contains(.danglingReference) ? rules.union([.danglingJoinRow]) : rules
    }

    /// Makes the rule for a problem that was found when a store was converted to a SQLite store.
    init?(_ code: ConversionFinding.Code) {
        switch code {
        case .danglingReference: self = .danglingReference
        case .oneSidedRelationship, .conflictingInverse: self = .oneSidedInverse
        case .invalidText: self = .undecodableValue
        default: return nil
        }
    }
}
