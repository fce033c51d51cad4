extension VerificationRule {
    /// The rules that can be repaired, in the order in which a repair handles them: first those that remove rows, last
    /// those whose faults follow from others.
    static let repairable: [VerificationRule] = [
        .databaseDamaged, .wrongEntity, .abstractEntity, .uniquenessViolated, .danglingJoinRow, .danglingReference,
        .wrongDestination, .entityColumnWrong, .oneSidedInverse, .wrongStorageClass, .missingValue, .numberOutOfRange,
        .belowMinimum, .aboveMaximum, .undecodableValue, .externalValueMalformed, .externalFileMissing,
        .lockCounterInvalid, .orderKeys, .derivedValueStale, .primaryKeyBehind, .indexMissing, .uniquenessUnguarded,
        .externalFileUnused,
    ]

    /// Whether faults of the rule can be repaired.
    public var isRepairable: Bool { Self.repairable.contains(self) }

    /// Whether the repair removes objects, links or files, not only the fault itself.
    public var removes: Bool {
        switch self {
        case .wrongEntity, .abstractEntity, .uniquenessViolated, .danglingJoinRow, .externalFileUnused: true
        default: false
        }
    }
}
