extension LintCode {
    /// The description of the code. Errors are what Xcode's compiler or Core Data refuses, or what makes stores
    /// unusable.
    public var rule: LintRuleDescription {
        switch self {
        case .duplicateName:
            .init(
                .error, "duplicate-name",
                "Two entities, or two properties of one entity, have the same name.",
                "Rename or remove one.")
        case .missingName: .init(.error, "missing-name", "Something has no name.", "Name it.")
        case .unknownParent:
            .init(
                .error, "unknown-parent",
                "The parent entity is not in the model.",
                "Add it, or choose another parent.")
        case .inheritanceCycle:
            .init(.error, "inheritance-cycle", "An entity inherits from itself.", "Break the cycle.")
        case .unknownDestination:
            .init(
                .error, "unknown-destination",
                "The destination entity is not in the model.",
                "Add it, or choose another destination.")
        case .unknownComposite:
            .init(
                .error, "unknown-composite",
                "The composite type is not in the model, or contains itself.",
                "Add it, or break the cycle.")
        case .unknownElement:
            .init(
                .warning, "unknown-element",
                "An element or attribute of the document is unknown; it is ignored.",
                "Look for a typing error or a failed merge.")
        case .unparsedValue:
            .init(
                .warning, "unparsed-value",
                "A value has the wrong type.",
                "Correct it in Xcode.")
        case .duplicateUserInfoKey:
            .init(
                .warning, "duplicate-user-info-key",
                "A user info has a key twice; the last value is used.",
                "Remove one.")
        case .damagedBundle:
            .init(
                .warning, "damaged-bundle",
                "The bundle lacks a version or the name of the current one, or a list in it is wrong.",
                "Choose the current version in Xcode again, or get the complete bundle.")
        case .unreadableModel:
            .init(
                .error, "unreadable-model",
                "The file of a version cannot be read, for example after a merge that left conflict markers.",
                "Repair it, or get it from the repository again.")
        case .reservedName:
            .init(
                .error, "reserved-name",
                "A property has the name of a method of NSObject or NSManagedObject without arguments.",
                "Rename it, with the old name as its renaming identifier.")
        case .shadowedProperty:
            .init(
                .warning, "shadowed-property",
                "NSManagedObject has a property of this name, whose getter begins with `is`.",
                "Rename it, with the old name as its renaming identifier.")
        case .invalidName:
            .init(
                .warning, "invalid-name",
                "A name is not an identifier; Xcode generates no class from it, and key paths break.",
                "Use letters, digits and underscores, without a digit at the beginning.")
        case .unusualCapital:
            .init(
                .note, "unusual-capital",
                "The name of an entity begins with a small letter, or that of a property with a capital; Xcode does "
                    + "not accept such names.",
                "Follow the convention.")
        case .namesDifferInCase:
            .init(
                .warning, "names-differ-in-case",
                "Two names differ only in upper and lower case; columns, XML stores and files of generated "
                    + "classes confuse them.",
                "Rename one.")
        case .redeclaredProperty:
            .init(
                .warning, "redeclared-property",
                "A property has the name of an inherited one, whose column it shares.",
                "Remove or rename it.")
        case .sharedRenamingIdentifier:
            .init(
                .warning, "shared-renaming-identifier",
                "Two entities or properties have the same renaming identifier, or one has the name that is the "
                    + "identifier of the other: only one can go on.",
                "Keep it only on what was renamed.")
        case .duplicateClass:
            .init(
                .error, "duplicate-class",
                "Xcode would generate the same class for two entities.",
                "Give each a class of its own, or turn off the generation for one.")
        case .undefinedType:
            .init(.error, "undefined-type", "A stored attribute has no type.", "Choose one, or make it transient.")
        case .defaultBreaksRule:
            .init(
                .warning, "default-breaks-rule",
                "The default value breaks the attribute's own validation: a new object cannot be saved.",
                "Change one of the two.")
        case .emptyRange:
            .init(
                .error, "empty-range",
                "The minimum is above the maximum: no value is valid.",
                "Exchange or correct them.")
        case .invalidPattern:
            .init(.error, "invalid-pattern", "The regular expression is malformed.", "Correct it.")
        case .requiredScalarWithoutDefault:
            .init(
                .note, "required-scalar-without-default",
                "A required number or Boolean has no default: a scalar accessor reads 0 if there is no value, "
                    + "and the save fails.",
                "Give it a default.")
        case .insecureTransformer:
            .init(
                .warning, "insecure-transformer",
                "A transformable attribute uses no value transformer, or NSKeyedUnarchiveFromData, which decodes "
                    + "any class.",
                "Use NSSecureUnarchiveFromData or a subclass of its transformer; test it on old data.")
        case .optionalScalar:
            .init(
                .note, "optional-scalar",
                "An optional number or Boolean without default has a scalar accessor, which reads a missing value as 0.",
                "Make it required with a default, or use NSNumber.")
        case .invalidDerivation:
            .init(
                .error, "invalid-derivation",
                "A derivation is empty, malformed, or names a property that does not exist.",
                "Correct it.")
        case .misplacedExternalStorage:
            .init(
                .warning, "misplaced-external-storage",
                "External storage is set for a type other than Binary, where it changes the version hash and "
                    + "nothing else.",
                "Turn it off in a new version.")
        case .unknownTransformer:
            .init(
                .warning, "unknown-transformer",
                "The transformer is named like the constant; Foundation registers it without `TransformerName`.",
                "Write NSSecureUnarchiveFromData.")
        case .missingInverse:
            .init(
                .warning, "missing-inverse",
                "A relationship has no inverse: it is not updated when its destination is deleted.",
                "Add the inverse.")
        case .unknownInverse:
            .init(
                .error, "unknown-inverse",
                "The destination has no relationship of the inverse's name.",
                "Choose the inverse again.")
        case .asymmetricalInverse:
            .init(
                .warning, "asymmetrical-inverse",
                "The inverse has another relationship as its own inverse.",
                "Choose the inverse again on both sides.")
        case .requiredWithoutLowerLimit:
            .init(
                .note, "required-without-lower-limit",
                "A required to-many relationship has the lower limit 0; it has to be at least 1.",
                "Set it to 1, or make the relationship optional.")
        case .emptyCountRange:
            .init(
                .error, "empty-count-range",
                "The maximum count is below the minimum, or a count is negative.",
                "Exchange or correct them.")
        case .contradictoryCardinality:
            .init(
                .error, "contradictory-cardinality",
                "The maximum count contradicts to-many or to-one; the compiler uses the count.",
                "Make both say the same.")
        case .noActionRule:
            .init(
                .warning, "no-action-rule",
                "The delete rule No Action leaves references to deleted objects.",
                "Use Nullify, or clean up in code.")
        case .mutualCascade:
            .init(
                .warning, "mutual-cascade",
                "Both sides cascade: deleting one object deletes all connected objects.",
                "Use Nullify on the side that points to the owner.")
        case .cascadeCycle:
            .init(
                .note, "cascade-cycle",
                "Cascades form a cycle over several entities.",
                "Make sure that a deletion should go that far.")
        case .sharedCascade:
            .init(
                .warning, "shared-cascade",
                "A many-to-many relationship cascades: it deletes objects that other objects still use.",
                "Use Nullify, and delete unused objects in code.")
        case .orderedToOne:
            .init(
                .note, "ordered-to-one",
                "A to-one relationship is marked as ordered, which changes the version hash and nothing else.",
                "Turn it off in a new version.")
        case .nullifiedRequiredInverse:
            .init(
                .note, "nullified-required-inverse",
                "Deleting an object nullifies a required relationship, and the save fails unless that object goes "
                    + "too.",
                "Use Cascade or Deny, or make the inverse optional.")
        case .abstractWithoutSubentities:
            .init(
                .warning, "abstract-without-subentities",
                "An abstract entity has no subentities: it can never have objects.",
                "Make it concrete, or remove it.")
        case .invalidConstraint:
            .init(
                .error, "invalid-constraint",
                "A uniqueness constraint is empty, or names something other than a stored attribute or to-one relationship.",
                "Correct it.")
        case .duplicateConstraint:
            .init(
                .warning, "duplicate-constraint",
                "A uniqueness constraint repeats another one, or follows from it.",
                "Remove it.")
        case .invalidIndex:
            .init(
                .warning, "invalid-index",
                "An index is empty, has the name of another one, or names a property without a column.",
                "Correct it.")
        case .deprecatedIndex:
            .init(
                .note, "deprecated-index",
                "Fetch indexes have replaced compound indexes and indexed attributes.",
                "Let Xcode convert them.")
        case .duplicateIndex:
            .init(.note, "duplicate-index", "Two indexes of one entity have the same elements.", "Remove one.")
        case .invalidConfiguration:
            .init(
                .error, "invalid-configuration",
                "A configuration names an entity that is not in the model, or one without the entity from which it inherits.",
                "Remove it from the configuration, or add what it inherits from.")
        case .relationshipLeavesConfiguration:
            .init(
                .warning, "relationship-leaves-configuration",
                "A relationship leads out of a configuration, but no relationship can lead from one store to another.",
                "Add the destination to the configuration, or use a fetched property.")
        case .invalidFetchRequest:
            .init(
                .error, "invalid-fetch-request",
                "A fetch request is for an entity that is not in the model.",
                "Choose another entity.")
        case .invalidPredicate:
            .init(.error, "invalid-predicate", "A predicate or an expression cannot be parsed.", "Correct it.")
        case .cloudKitRequiredAttribute:
            .init(
                .error, "cloudkit-required-attribute",
                "CloudKit requires every attribute to be optional or to have a default.",
                "Make it so.")
        case .cloudKitConstraint:
            .init(
                .error, "cloudkit-constraint",
                "CloudKit does not support uniqueness constraints.",
                "Remove it, and merge duplicates in code.")
        case .cloudKitInverse:
            .init(.error, "cloudkit-inverse", "CloudKit requires an inverse for every relationship.", "Add it.")
        case .cloudKitDenyRule:
            .init(
                .error, "cloudkit-deny-rule",
                "CloudKit does not support the delete rule Deny.",
                "Use another one.")
        case .cloudKitOrdered:
            .init(
                .error, "cloudkit-ordered",
                "CloudKit does not support ordered relationships.",
                "Keep the order in an attribute.")
        case .cloudKitRequiredRelationship:
            .init(
                .error, "cloudkit-required-relationship",
                "CloudKit requires every relationship to be optional.",
                "Make it so.")
        case .cloudKitType:
            .init(
                .error, "cloudkit-type",
                "CloudKit does not support the types Undefined and Object ID.",
                "Choose another type.")
        case .lostData:
            .init(
                .warning, "lost-data",
                "A migration drops values, links or objects.",
                "Make sure that this is intended, and silence it with the reason.")
        case .notInferable:
            .init(
                .error, "not-inferable",
                "No mapping can be inferred for the change.",
                "Change it another way, or write a mapping model.")
        case .dataDependent:
            .init(
                .warning, "data-dependent",
                "The migration fails on some data.",
                "Try it on real stores with `ferry migrate --dry-run`.")
        case .possibleRename:
            .init(
                .warning, "possible-rename",
                "Something is removed and something similar added: without a renaming identifier the values are "
                    + "dropped.",
                "If it is a rename, give it the renaming identifier; else silence it with the reason.")
        case .renamed:
            .init(
                .note, "renamed",
                "Earlier versions of the app look for the old name.",
                "Keep this in mind where data or code is shared.")
        case .tightenedRule:
            .init(
                .warning, "tightened-rule",
                "Existing objects may break a new rule, and then cannot be saved.",
                "Correct them after the migration.")
        case .indistinguishable:
            .init(
                .warning, "indistinguishable",
                "The versions differ, but have the same hashes: Core Data regards them as the same and "
                    + "migrates nothing.",
                "Set a hash modifier if a migration is needed; else edit one version.")
        case .unsoundMapping:
            .init(
                .error, "unsound-mapping",
                "A mapping model does not fit the two versions that it leads between.",
                "Correct it; `ferry mapping check` shows the places.")
        case .shippedVersionChanged:
            .init(
                .error, "shipped-version-changed",
                "A version that was shipped has other hashes now: stores made with it cannot be opened or "
                    + "migrated.",
                "Undo the change, and make it in a new version.")
        case .shippedVersionEdited:
            .init(
                .note, "shipped-version-edited",
                "A version that was shipped was edited, and its hashes are the same: stores still open.",
                "Make sure that nothing relies on the old state.")
        case .shippedVersionRemoved:
            .init(
                .warning, "shipped-version-removed",
                "A version that was shipped is gone: stores made with it cannot be migrated.",
                "Keep it as long as such stores may exist.")
        case .unreadableShippedVersion:
            .init(
                .warning, "unreadable-shipped-version",
                "A version cannot be read in the state that was shipped, and is not compared.",
                "Repair it, or compare with another state.")
        case .swiftDataAbstractEntity:
            .init(
                .error, "swiftdata-abstract-entity",
                "SwiftData has no abstract entities.",
                "Make it concrete, or move its properties to its subentities.")
        case .swiftDataParent:
            .init(
                .warning, "swiftdata-parent",
                "SwiftData has entities with a parent from iOS 26 on only.",
                "Move the properties to the subentities if earlier systems matter.")
        case .swiftDataEntityIdentity:
            .init(
                .warning, "swiftdata-entity-identity",
                "SwiftData has no renaming identifiers and hash modifiers of entities.",
                "Migrate all stores with Core Data first, and remove them.")
        case .swiftDataFetchedProperty:
            .init(
                .warning, "swiftdata-fetched-property",
                "SwiftData has no fetched properties.",
                "Fetch in code.")
        case .swiftDataOrdered:
            .init(
                .warning, "swiftdata-ordered",
                "SwiftData has no ordered relationships: the order is dropped.",
                "Keep the order in an attribute.")
        case .swiftDataType:
            .init(
                .error, "swiftdata-type",
                "SwiftData has no attributes of the types Undefined and Object ID.",
                "Choose another type.")
        case .swiftDataDerivation:
            .init(
                .warning, "swiftdata-derivation",
                "SwiftData has no derived attributes.",
                "Compute the value in code.")
        case .swiftDataValidation:
            .init(
                .warning, "swiftdata-validation",
                "SwiftData checks no validation rules.",
                "Check the values in code.")
        case .swiftDataTransformer:
            .init(
                .warning, "swiftdata-transformer",
                "A transformable attribute of a `@Model` class needs the class of its values.",
                "Name the class in the model.")
        case .swiftDataIndex:
            .init(
                .warning, "swiftdata-index",
                "Indexes of SwiftData have no conditions, expressions and collations.",
                "Use an index on properties.")
        case .unusedSilence:
            .init(.warning, "unused-silence", "An entry of the file of silences matches no finding.", "Remove it.")
        }
    }
}
