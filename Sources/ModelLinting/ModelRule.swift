/// A rule for one version of a model: a function from what is to be looked at to what was found.
struct ModelRule: Sendable {
    /// All that it can find.
    let codes: [LintCode]

    let check: @Sendable (LintSubject) -> [LintFinding]

    init(_ codes: LintCode..., check: @escaping @Sendable (LintSubject) -> [LintFinding]) {
        self.codes = codes
        self.check = check
    }

    /// The rules, in the order of their codes. A rule is added by a value in this list.
    static let all: [ModelRule] = [
        reservedNames, identifiers, namesInCase, redeclarations, renamingIdentifiers, generatedClasses,
        types, defaults, bounds, patterns, scalars, transformers, derivations, externalStorage,
        inverses, counts, cardinalities, noAction, mutualCascades, cascadeCycles, sharedCascades, requiredInverses,
        abstractEntities, constraints, indexes, deprecatedIndexes, configurations, fetchRequests, predicates,
        cloudKitAttributes, cloudKitEntities, cloudKitRelationships,
    ]
}
