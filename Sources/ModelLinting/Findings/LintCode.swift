/// What a finding is about. The raw value is the stable code that reports show and silences name.
public enum LintCode: String, Sendable, Hashable, Codable, CaseIterable {
    // The document.
    case duplicateName = "FM001"
    case missingName = "FM002"
    case unknownParent = "FM003"
    case inheritanceCycle = "FM004"
    case unknownDestination = "FM005"
    case unknownComposite = "FM006"
    case unknownElement = "FM007"
    case unparsedValue = "FM008"
    case duplicateUserInfoKey = "FM009"
    case damagedBundle = "FM010"
    case unreadableModel = "FM011"

    // Names.
    case reservedName = "FM101"
    case shadowedProperty = "FM102"
    case invalidName = "FM103"
    case unusualCapital = "FM104"
    case namesDifferInCase = "FM105"
    case redeclaredProperty = "FM106"
    case sharedRenamingIdentifier = "FM107"
    case duplicateClass = "FM108"

    // Attributes.
    case undefinedType = "FM201"
    case defaultBreaksRule = "FM202"
    case emptyRange = "FM203"
    case invalidPattern = "FM204"
    case requiredScalarWithoutDefault = "FM205"
    case insecureTransformer = "FM206"
    case optionalScalar = "FM207"
    case invalidDerivation = "FM208"
    case misplacedExternalStorage = "FM209"
    case unknownTransformer = "FM210"

    // Relationships.
    case missingInverse = "FM301"
    case unknownInverse = "FM302"
    case asymmetricalInverse = "FM303"
    case requiredWithoutLowerLimit = "FM304"
    case emptyCountRange = "FM305"
    case contradictoryCardinality = "FM306"
    case noActionRule = "FM307"
    case mutualCascade = "FM308"
    case cascadeCycle = "FM309"
    case sharedCascade = "FM310"
    case orderedToOne = "FM311"
    case nullifiedRequiredInverse = "FM312"

    // Entities, constraints, indexes, configurations, fetch requests.
    case abstractWithoutSubentities = "FM401"
    case invalidConstraint = "FM402"
    case duplicateConstraint = "FM403"
    case invalidIndex = "FM404"
    case deprecatedIndex = "FM405"
    case duplicateIndex = "FM406"
    case invalidConfiguration = "FM407"
    case relationshipLeavesConfiguration = "FM408"
    case invalidFetchRequest = "FM409"
    case invalidPredicate = "FM410"

    // What a store that mirrors to CloudKit does not allow.
    case cloudKitRequiredAttribute = "FM501"
    case cloudKitConstraint = "FM502"
    case cloudKitInverse = "FM503"
    case cloudKitDenyRule = "FM504"
    case cloudKitOrdered = "FM505"
    case cloudKitRequiredRelationship = "FM506"
    case cloudKitType = "FM507"

    // Between two versions.
    case lostData = "FM601"
    case notInferable = "FM602"
    case dataDependent = "FM603"
    case possibleRename = "FM604"
    case renamed = "FM605"
    case tightenedRule = "FM606"
    case indistinguishable = "FM607"
    case unsoundMapping = "FM608"

    // Against what was shipped.
    case shippedVersionChanged = "FM701"
    case shippedVersionEdited = "FM702"
    case shippedVersionRemoved = "FM703"
    case unreadableShippedVersion = "FM704"

    // What SwiftData does not have.
    case swiftDataAbstractEntity = "FM801"
    case swiftDataParent = "FM802"
    case swiftDataEntityIdentity = "FM803"
    case swiftDataFetchedProperty = "FM804"
    case swiftDataOrdered = "FM805"
    case swiftDataType = "FM806"
    case swiftDataDerivation = "FM807"
    case swiftDataValidation = "FM808"
    case swiftDataTransformer = "FM809"
    case swiftDataIndex = "FM810"

    // The file of silences.
    case unusedSilence = "FM901"

    /// The runs that can find it.
    public enum Scope: Sendable, Hashable, CaseIterable {
        /// One version by itself.
        case version
        /// Two versions.
        case change
        /// A version and the state of it that was shipped.
        case shipped
        /// One version, and what it is to become.
        case target
        /// The run itself.
        case run
    }

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
