internal import ManagedObjectModels

/// Assesses the changes of an attribute that exists in both versions.
struct AttributeChangeAssessment {
    let source: AttributeDescription
    let destination: AttributeDescription

    /// Transient attributes are left out of version hashes.
    var isHashed: Bool { !source.isTransient || !destination.isTransient }

    /// The hash of a derived attribute depends on its derivation only.
    var nameEntersHash: Bool { isHashed && !destination.isDerived }

    func assessed(_ change: FacetTable.Change) -> FacetChange {
        FacetChange(
            change.facet, detail: change.detail, old: change.old, new: change.new,
            changesVersionHash: isHashed && entersHash(change.facet), consequence(of: change))
    }

    private func entersHash(_ facet: ModelFacet) -> Bool {
        switch facet {
        case .derivation, .transient: true
        case .type, .optional, .externalStorage, .preservedInHistory, .hashModifier:
            !(source.isDerived && destination.isDerived)
        default: false
        }
    }

    private var isComputed: Bool { destination.isDerived || destination.isTransient }

    private func consequence(of change: FacetTable.Change) -> ChangeConsequence {
        switch change.facet {
        case .transient:
            if destination.isTransient { return .destructive("its values are no longer stored") }
            return isRequiredWithoutDefault
                ? .dataDependent("required without a default: the migration fails if there are objects") : .harmless
        case .derivation:
            if !source.isDerived { return .destructive("computed values take the place of its values") }
            if destination.isDerived { return .harmless }
            return isRequiredWithoutDefault
                ? .dataDependent("required without a default: the migration fails if there are objects")
                : .none("the values that were computed last are dropped")
        case _ where isComputed: return .harmless
        case .type where source.type.isScalarNumber && destination.type.isScalarNumber:
            return AttributeType.mayNarrow(from: source.type, to: destination.type)
                ? .dataDependent("numbers that the new type cannot hold are refused, or changed as --narrowing says")
                : .harmless
        case .type:
            return .destructive("the values must be converted, which needs a custom mapping model")
        case .optional where isRequiredWithoutDefault:
            return .dataDependent(
                "required without a default: the migration fails if there are objects without a value")
        case .optional where !destination.isOptional:
            return .none("objects without a value get the default")
        case .minimum:
            return narrows(from: source.validation.minimum, to: destination.validation.minimum, if: >)
        case .maximum:
            return narrows(from: source.validation.maximum, to: destination.validation.maximum, if: <)
        case .pattern, .validation:
            return change.new == nil ? .harmless : .narrower
        case .valueTransformer:
            return .dataDependent("existing values are read by another transformer")
        case .externalStorage where source.hasExternalData && !destination.allowsExternalBinaryDataStorage:
            return destination.type == .binaryData
                ? .destructive("values in files of their own move into the store, which needs a custom mapping model")
                : .none("values in files of their own move into the store")
        default: return .harmless
        }
    }

    private var isRequiredWithoutDefault: Bool {
        !destination.isOptional && !destination.isDerived && destination.defaultForMigration == nil
    }

    /// Returns whether a limit becomes narrower. No limit is the widest one; values that cannot be compared may be
    /// narrower.
    private func narrows(
        from old: AttributeValue?, to new: AttributeValue?, if isNarrower: (Double, Double) -> Bool
    ) -> ChangeConsequence {
        guard let new else { return .harmless }
        guard let old, let former = old.number, let now = new.number else { return .narrower }
        return isNarrower(now, former) ? .narrower : .harmless
    }
}

extension ChangeConsequence {
    /// A new validation that stored values may not satisfy.
    static let narrower = dataDependent("existing values may fail it, and then their objects can't be saved")
}
