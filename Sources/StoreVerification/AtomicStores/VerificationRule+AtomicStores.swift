import StoreConversion

extension VerificationRule {
    /// Whether the rule says something of a store that is not an SQLite store: of its file, its objects and their
    /// links.
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

    /// Such a store has no rows of join tables: a link of any relationship is a reference.
    var inAtomicStore: VerificationRule { self == .danglingJoinRow ? .danglingReference : self }

    /// The rules of a SQLite store's objects that stand for these of a store of another type.
    static func standingFor(_ rules: Set<VerificationRule>) -> Set<VerificationRule> {
        rules.contains(.danglingReference) ? rules.union([.danglingJoinRow]) : rules
    }

    /// The rule that is broken where a store of another type could not become a SQLite store as it is.
    init?(_ code: ConversionFinding.Code) {
        switch code {
        case .danglingReference: self = .danglingReference
        case .oneSidedRelationship, .conflictingInverse: self = .oneSidedInverse
        case .invalidText: self = .undecodableValue
        default: return nil
        }
    }
}
