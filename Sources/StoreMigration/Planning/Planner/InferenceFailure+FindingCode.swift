import MappingModels

extension InferenceFailure {
    /// The stable name of the failure in findings.
    var findingCode: String {
        switch code {
        case .attributeTypeChanged: "attribute-type-changed"
        case .numberNarrowed: "number-narrowed"
        case .externalDataInlined: "external-data-inlined"
        case .toManyBecameToOne: "to-many-became-to-one"
        case .sharedRenamingIdentifier: "shared-renaming-identifier"
        case .mergedHierarchies: "merged-hierarchies"
        case .newAttributeWithoutDefault, .requiredWithoutDefault: "missing-required-value"
        case .newUniquenessConstraint: "uniqueness-violated"
        case .becameAbstract: "became-abstract"
        case .destinationNarrowed: "destination-narrowed"
        case .severalSources: "several-sources"
        case .sharedDestinations: "shared-destinations"
        }
    }
}
