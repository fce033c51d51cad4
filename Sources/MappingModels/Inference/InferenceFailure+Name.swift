extension InferenceFailure.Code {
    /// The name of the failure in JSON.
    public var name: String {
        switch self {
        case .attributeTypeChanged: "attributeTypeChanged"
        case .numberNarrowed: "numberNarrowed"
        case .externalDataInlined: "externalDataInlined"
        case .toManyBecameToOne: "toManyBecameToOne"
        case .sharedRenamingIdentifier: "sharedRenamingIdentifier"
        case .mergedHierarchies: "mergedHierarchies"
        case .newAttributeWithoutDefault: "newAttributeWithoutDefault"
        case .requiredWithoutDefault: "requiredWithoutDefault"
        case .newUniquenessConstraint: "newUniquenessConstraint"
        case .becameAbstract: "becameAbstract"
        case .destinationNarrowed: "destinationNarrowed"
        case .severalSources: "severalSources"
        case .sharedDestinations: "sharedDestinations"
        }
    }
}
