extension VerificationRule {
    /// The rules that a repair can do something about, in the order in which it does: what removes rows comes first,
    /// what follows from others last.
    static let repairable: [VerificationRule] = [
        .databaseDamaged, .wrongEntity, .abstractEntity, .uniquenessViolated, .danglingJoinRow, .danglingReference,
        .wrongDestination, .entityColumnWrong, .oneSidedInverse, .wrongStorageClass, .missingValue, .numberOutOfRange,
        .belowMinimum, .aboveMaximum, .undecodableValue, .externalValueMalformed, .externalFileMissing,
        .lockCounterInvalid, .orderKeys, .derivedValueStale, .primaryKeyBehind, .indexMissing, .uniquenessUnguarded,
        .externalFileUnused,
    ]

    /// Whether a repair can do something about it.
    public var isRepairable: Bool { Self.repairable.contains(self) }

    /// Whether the repair removes objects, links or files, beyond the fault itself.
    public var removes: Bool {
        switch self {
        case .wrongEntity, .abstractEntity, .uniquenessViolated, .danglingJoinRow, .externalFileUnused: true
        default: false
        }
    }
}
