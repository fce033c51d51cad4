/// A rule for one version of a model: a function that returns findings.
struct ModelRule: Sendable {
    /// The codes of its possible findings.
    let codes: [LintCode]

    let check: @Sendable (LintSubject) -> [LintFinding]

    init(_ codes: LintCode..., check: @escaping @Sendable (LintSubject) -> [LintFinding]) {
        self.codes = codes
        self.check = check
    }

    /// The rules, in the order of their codes. To add a rule, add a value to this list.
    static let all: [ModelRule] = [
        reservedNames, identifiers, namesInCase, redeclarations, renamingIdentifiers, generatedClasses,
        types, defaults, bounds, patterns, scalars, transformers, derivations, externalStorage,
        inverses, counts, cardinalities, noAction, mutualCascades, cascadeCycles, sharedCascades, requiredInverses,
        abstractEntities, constraints, indexes, deprecatedIndexes, configurations, fetchRequests, predicates,
        cloudKitAttributes, cloudKitEntities, cloudKitRelationships,
    ]
}
