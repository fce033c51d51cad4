/// The code of a finding. The raw value is stable; reports show it, and silences refer to it.
public enum LintCode: String, Sendable, Hashable, Codable, CaseIterable {
    // The document.
    /// Two entities, or two properties of one entity, have the same name.
    case duplicateName = "FM001"
    /// An element has no name.
    case missingName = "FM002"
    /// The parent entity is not in the model.
    case unknownParent = "FM003"
    /// An entity inherits from itself.
    case inheritanceCycle = "FM004"
    /// The destination entity is not in the model.
    case unknownDestination = "FM005"
    /// The composite type is not in the model, or contains itself.
    case unknownComposite = "FM006"
    /// An element or attribute of the document is unknown; it is ignored.
    case unknownElement = "FM007"
    /// A value has the wrong type.
    case unparsedValue = "FM008"
    /// A user info has a key twice; the last value is used.
    case duplicateUserInfoKey = "FM009"
    /// The bundle lacks a version or the name of the current one, or a list in it is wrong.
    case damagedBundle = "FM010"
    /// The file of a version cannot be read, for example after a merge that left conflict markers.
    case unreadableModel = "FM011"

    // Names.
    /// A property has the name of a method of NSObject or NSManagedObject without arguments.
    case reservedName = "FM101"
    /// NSManagedObject has a property of this name whose getter begins with `is`.
    case shadowedProperty = "FM102"
    /// A name is not an identifier; Xcode generates no class from it, and key paths break.
    case invalidName = "FM103"
    /// The name of an entity begins with a lowercase letter, or that of a property with an uppercase one; Xcode does
    /// not accept such names.
    case unusualCapital = "FM104"
    /// Two names differ only in case; columns, XML stores and files of generated classes confuse them.
    case namesDifferInCase = "FM105"
    /// A property has the name of an inherited one, whose column it shares.
    case redeclaredProperty = "FM106"
    /// Two entities or properties have the same renaming identifier: only one can have been renamed.
    case sharedRenamingIdentifier = "FM107"
    /// Xcode would generate the same class for two entities.
    case duplicateClass = "FM108"

    // Attributes.
    /// A stored attribute has no type.
    case undefinedType = "FM201"
    /// The default value violates the attribute's own validation: a new object cannot be saved.
    case defaultBreaksRule = "FM202"
    /// The minimum is above the maximum: no value is valid.
    case emptyRange = "FM203"
    /// The regular expression is malformed.
    case invalidPattern = "FM204"
    /// A required number or Boolean has no default: a scalar accessor reads 0 if there is no value, and the save fails.
    case requiredScalarWithoutDefault = "FM205"
    /// A transformable attribute uses no value transformer, or NSKeyedUnarchiveFromData, which decodes any class.
    case insecureTransformer = "FM206"
    /// An optional number or Boolean without default has a scalar accessor, which reads a missing value as 0.
    case optionalScalar = "FM207"
    /// A derivation is empty, malformed, or names a property that does not exist.
    case invalidDerivation = "FM208"
    /// External storage is set for a type other than Binary, where it changes the version hash and nothing else.
    case misplacedExternalStorage = "FM209"
    /// The transformer has the name of the constant; Foundation registers it without `TransformerName`.
    case unknownTransformer = "FM210"

    // Relationships.
    /// A relationship has no inverse: it is not updated when its destination is deleted.
    case missingInverse = "FM301"
    /// The destination has no relationship with the inverse's name.
    case unknownInverse = "FM302"
    /// The inverse has another relationship as its own inverse.
    case asymmetricalInverse = "FM303"
    /// A required to-many relationship has the minimum count 0; it has to be at least 1.
    case requiredWithoutLowerLimit = "FM304"
    /// The maximum count is below the minimum, or a count is negative.
    case emptyCountRange = "FM305"
    /// The maximum count contradicts to-many or to-one; the compiler uses the count.
    case contradictoryCardinality = "FM306"
    /// The delete rule No Action leaves references to deleted objects.
    case noActionRule = "FM307"
    /// Both sides cascade: deleting one object deletes all connected objects.
    case mutualCascade = "FM308"
    /// Cascades form a cycle over several entities.
    case cascadeCycle = "FM309"
    /// A many-to-many relationship cascades: it deletes objects that other objects still use.
    case sharedCascade = "FM310"
    /// A to-one relationship is marked as ordered, which changes the version hash and nothing else.
    case orderedToOne = "FM311"
    /// Deleting an object nullifies a required relationship, and the save fails unless that object is deleted, too.
    case nullifiedRequiredInverse = "FM312"

    // Entities, constraints, indexes, configurations, fetch requests.
    /// An abstract entity has no subentities: it can never have objects.
    case abstractWithoutSubentities = "FM401"
    /// A uniqueness constraint is empty, or names something other than a stored attribute or to-one relationship.
    case invalidConstraint = "FM402"
    /// A uniqueness constraint repeats another one, or follows from it.
    case duplicateConstraint = "FM403"
    /// An index is empty, has the same name as another one, or names a property without a column.
    case invalidIndex = "FM404"
    /// Fetch indexes have replaced compound indexes and indexed attributes.
    case deprecatedIndex = "FM405"
    /// Two indexes of one entity have the same elements.
    case duplicateIndex = "FM406"
    /// A configuration names an entity that is not in the model.
    case invalidConfiguration = "FM407"
    /// A relationship leads out of a configuration, but relationships cannot lead from one store to another.
    case relationshipLeavesConfiguration = "FM408"
    /// A fetch request is for an entity that is not in the model.
    case invalidFetchRequest = "FM409"
    /// A predicate or an expression cannot be parsed.
    case invalidPredicate = "FM410"

    // What a store that mirrors to CloudKit does not allow.
    /// CloudKit requires every attribute to be optional or to have a default.
    case cloudKitRequiredAttribute = "FM501"
    /// CloudKit does not support uniqueness constraints.
    case cloudKitConstraint = "FM502"
    /// CloudKit requires an inverse for every relationship.
    case cloudKitInverse = "FM503"
    /// CloudKit does not support the delete rule Deny.
    case cloudKitDenyRule = "FM504"
    /// CloudKit does not support ordered relationships.
    case cloudKitOrdered = "FM505"
    /// CloudKit requires every relationship to be optional.
    case cloudKitRequiredRelationship = "FM506"
    /// CloudKit does not support the types Undefined and Object ID.
    case cloudKitType = "FM507"

    // Between two versions.
    /// A migration drops values, links or objects.
    case lostData = "FM601"
    /// No mapping can be inferred for the change.
    case notInferable = "FM602"
    /// The migration fails on some data.
    case dataDependent = "FM603"
    /// A part is removed and a similar one added: without a renaming identifier the values are dropped.
    case possibleRename = "FM604"
    /// Earlier versions of the app look for the old name.
    case renamed = "FM605"
    /// Existing objects may violate a new rule, and then cannot be saved.
    case tightenedRule = "FM606"
    /// The versions differ, but have the same hashes: Core Data regards them as the same and migrates nothing.
    case indistinguishable = "FM607"
    /// A mapping model does not fit its source and destination versions.
    case unsoundMapping = "FM608"

    // Against what was shipped.
    /// A shipped version now has other hashes: stores made with it cannot be opened or migrated.
    case shippedVersionChanged = "FM701"
    /// A shipped version was edited, but its hashes are the same: stores still open.
    case shippedVersionEdited = "FM702"
    /// A shipped version is missing: stores made with it cannot be migrated.
    case shippedVersionRemoved = "FM703"
    /// A version cannot be read in its shipped state, and is not compared.
    case unreadableShippedVersion = "FM704"

    // What SwiftData does not have.
    /// SwiftData has no abstract entities.
    case swiftDataAbstractEntity = "FM801"
    /// SwiftData supports superentities only since iOS 26.
    case swiftDataParent = "FM802"
    /// SwiftData has no renaming identifiers and hash modifiers for entities.
    case swiftDataEntityIdentity = "FM803"
    /// SwiftData has no fetched properties.
    case swiftDataFetchedProperty = "FM804"
    /// SwiftData has no ordered relationships: the order is dropped.
    case swiftDataOrdered = "FM805"
    /// SwiftData has no attributes of the types Undefined and Object ID.
    case swiftDataType = "FM806"
    /// SwiftData has no derived attributes.
    case swiftDataDerivation = "FM807"
    /// SwiftData does not check validation rules.
    case swiftDataValidation = "FM808"
    /// A transformable attribute of a `@Model` class requires the class of its values.
    case swiftDataTransformer = "FM809"
    /// Indexes in SwiftData have no conditions, expressions and collations.
    case swiftDataIndex = "FM810"

    // The file of silences.
    /// An entry in the file of silences matches no finding.
    case unusedSilence = "FM901"

    /// The kinds of runs that can report a code.
    public enum Scope: Sendable, Hashable, CaseIterable {
        /// One version.
        case version
        /// Two versions.
        case change
        /// A version and its shipped state.
        case shipped
        /// One version and its target.
        case target
        /// The run itself.
        case run
    }

    /// The kinds of runs that can report it, determined by the code's first digit.
    public var scope: Scope {
        switch rawValue.dropFirst(2).first {
        case "6": .change
        case "7": .shipped
        case "8": .target
        case "9": .run
        default: .version
        }
    }
}
