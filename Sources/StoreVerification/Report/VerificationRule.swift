/// The rules that a verification checks; the raw value is the code that users see.
public enum VerificationRule: String, Sendable, Hashable, Codable, CaseIterable {
    // The file
    /// SQLite finds the file damaged.
    case databaseDamaged = "database-damaged"
    /// The XML violates the document type of XML stores.
    case documentInvalid = "document-invalid"
    /// A file beside the store was left by a program that died.
    case leftoverFile = "leftover-file"
    /// The store is on a network file system, where locks may not work.
    case networkFileSystem = "network-file-system"
    // Bookkeeping
    /// The store's metadata differ from what Core Data writes.
    case metadataInvalid = "metadata-invalid"
    /// No version of the model has the store's version hashes.
    case modelUnknown = "model-unknown"
    /// The entity's number in Z_PRIMARYKEY differs from the model's.
    case entityNumberWrong = "entity-number-wrong"
    /// Entities are numbered in code-point order, as earlier versions of Ferry did.
    case formerEntityOrder = "former-entity-order"
    /// Z_MAX is lower than a key that is in use, so a new object would get a key that exists.
    case primaryKeyBehind = "primary-key-behind"
    /// Persistent history refers to something that does not exist.
    case historyInconsistent = "history-inconsistent"
    /// An import that commits batch by batch was interrupted; complete it with import --commit batch --resume, or
    /// cancel it with import --abandon.
    case importInterrupted = "import-interrupted"
    // Tables
    /// A table that the model needs is missing.
    case tableMissing = "table-missing"
    /// A column that the model needs is missing.
    case columnMissing = "column-missing"
    /// A column does not belong to the model.
    case columnSurplus = "column-surplus"
    /// The column is declared with a type of another affinity.
    case columnType = "column-type"
    /// The table is not one that Core Data creates: a view, a virtual table, or one with another key.
    case tableUnusual = "table-unusual"
    /// An index that Core Data makes is missing; fetches that use it are slower.
    case indexMissing = "index-missing"
    /// No unique index enforces the uniqueness constraint.
    case uniquenessUnguarded = "uniqueness-unguarded"
    /// A table, view or trigger is not Core Data's.
    case unknownObject = "unknown-object"
    // Rows
    /// The row's entity number does not belong to its table, so Core Data never sees it.
    case wrongEntity = "unknown-entity-number"
    /// The object belongs to an abstract entity, which cannot have objects.
    case abstractEntity = "abstract-entity"
    /// The objects belong to an entity outside the store's configuration, so Core Data never sees them here.
    case outsideConfiguration = "outside-configuration"
    /// Z_OPT is not a positive number.
    case lockCounterInvalid = "lock-counter-invalid"
    // Values
    /// The attribute is required and has no value.
    case missingValue = "missing-required-value"
    /// The value's storage class is not that of its type.
    case wrongStorageClass = "wrong-storage-class"
    /// The number does not fit the attribute's type, so Core Data reads another one.
    case numberOutOfRange = "value-out-of-range"
    /// The value is smaller than the model allows.
    case belowMinimum = "below-minimum"
    /// The value is larger than the model allows.
    case aboveMaximum = "above-maximum"
    /// The text is shorter than the model allows.
    case textTooShort = "text-too-short"
    /// The text is longer than the model allows.
    case textTooLong = "text-too-long"
    /// The text does not match the model's regular expression.
    case patternMismatch = "pattern-mismatch"
    /// The value does not satisfy a validation predicate of the model.
    case predicateFailed = "predicate-failed"
    /// A rule of the model cannot be evaluated.
    case predicateUnchecked = "predicate-unchecked"
    /// The bytes cannot be decoded as a value of the attribute.
    case undecodableValue = "undecodable-value"
    /// The archive contains an object of a class that the attribute does not allow.
    case archivedClassWrong = "archived-class-wrong"
    /// The derived value differs from the result of its derivation.
    case derivedValueStale = "derived-value-stale"
    /// Other objects have the same values under a uniqueness constraint.
    case uniquenessViolated = "uniqueness-violated"
    // External data
    /// The value neither contains its data nor names a file in Core Data's format.
    case externalValueMalformed = "external-data-malformed"
    /// The file that the value names is missing.
    case externalFileMissing = "external-data-missing"
    /// The file that the value names is empty, or is not a regular file.
    case externalFileEmpty = "external-data-empty"
    /// No value names the file of external data.
    case externalFileUnused = "external-data-unused"
    // Relationships
    /// The destination object does not exist.
    case danglingReference = "dangling-reference"
    /// The destination object's entity is not one that the relationship can lead to.
    case wrongDestination = "wrong-destination"
    /// The entity number stored with the key is not the destination's.
    case entityColumnWrong = "entity-column-wrong"
    /// The row links an object that does not exist or has a wrong entity.
    case danglingJoinRow = "dangling-join-row"
    /// The destination has no link back to the object.
    case oneSidedInverse = "one-sided-inverse"
    /// The relationship is required but has no object.
    case missingRelationship = "missing-relationship"
    /// The relationship has fewer objects than the model demands.
    case tooFewRelated = "too-few-related"
    /// The relationship has more objects than the model allows.
    case tooManyRelated = "too-many-related"
    /// Order keys in an ordered relationship are missing or duplicated.
    case orderKeys = "order-keys"

    /// The code in reports, such as `dangling-reference`.
    public var code: String { rawValue }

    /// The severity of findings under this rule.
    public var severity: VerificationFinding.Severity {
        switch self {
        case .databaseDamaged, .metadataInvalid, .entityNumberWrong, .primaryKeyBehind, .tableMissing, .columnMissing,
            .wrongEntity, .abstractEntity, .wrongStorageClass, .numberOutOfRange, .undecodableValue,
            .archivedClassWrong, .uniquenessViolated, .externalValueMalformed, .externalFileMissing, .externalFileEmpty,
            .danglingReference,
            .wrongDestination, .entityColumnWrong, .danglingJoinRow, .oneSidedInverse:
            .error
        // Core Data reads these objects, and fails to save them.
        case .missingValue, .belowMinimum, .aboveMaximum, .textTooShort, .textTooLong, .patternMismatch,
            .predicateFailed, .missingRelationship, .tooFewRelated, .tooManyRelated:
            .warning
        case .documentInvalid, .leftoverFile, .modelUnknown, .historyInconsistent, .importInterrupted,
            .outsideConfiguration, .columnType,
            .tableUnusual, .uniquenessUnguarded,
            .lockCounterInvalid, .derivedValueStale, .orderKeys:
            .warning
        case .columnSurplus, .indexMissing, .unknownObject, .externalFileUnused, .predicateUnchecked,
            .networkFileSystem, .formerEntityOrder:
            .note
        }
    }

    /// Cocoa's error number for the corresponding error of Core Data; nil if there is none.
    public var cocoaCode: Int? {
        switch self {
        case .databaseDamaged: 134180
        case .metadataInvalid, .modelUnknown, .tableMissing, .columnMissing: 134020
        case .missingValue, .missingRelationship: 1570
        case .tooFewRelated: 1580
        case .tooManyRelated: 1590
        case .numberOutOfRange, .aboveMaximum: 1610
        case .belowMinimum: 1620
        case .textTooLong: 1660
        case .textTooShort: 1670
        case .patternMismatch: 1680
        case .predicateFailed: 1550
        case .uniquenessViolated: 133021
        case .danglingReference, .wrongDestination, .danglingJoinRow, .oneSidedInverse: 133000
        case .externalFileMissing: 134200
        default: nil
        }
    }

    /// The fault, as a sentence about one object or one part of the store.
    public var meaning: String {
        switch self {
        case .databaseDamaged: "SQLite finds the file damaged"
        case .documentInvalid: "the XML is not as the document type of XML stores has it"
        case .leftoverFile: "a file beside the store was left by a program that died"
        case .networkFileSystem: "the store is on a network file system, where locks may not work"
        case .metadataInvalid: "the store's metadata are not as Core Data writes them"
        case .modelUnknown: "no version of the model has the store's version hashes"
        case .entityNumberWrong: "Z_PRIMARYKEY does not have the entity as the model numbers it"
        case .formerEntityOrder: "entities are numbered in code-point order, as earlier versions of Ferry did"
        case .primaryKeyBehind: "Z_MAX is lower than a key that is in use, so a new object would get a key that exists"
        case .historyInconsistent: "persistent history names something that does not exist"
        case .importInterrupted:
            "an import that commits batch by batch was interrupted; complete it with import --commit batch --resume, or "
                + "give it up with import --abandon"
        case .tableMissing: "a table that the model needs is missing"
        case .columnMissing: "a column that the model needs is missing"
        case .columnSurplus: "a column belongs to nothing in the model"
        case .columnType: "the column is declared with a type of another affinity"
        case .tableUnusual: "the table is not one that Core Data makes: a view, a virtual one, or one with another key"
        case .indexMissing: "an index that Core Data makes is missing; fetches that use it are slower"
        case .uniquenessUnguarded: "no unique index guards the uniqueness constraint"
        case .unknownObject: "a table, view or trigger is not Core Data's"
        case .wrongEntity: "the row's entity number does not belong to its table, so Core Data never sees it"
        case .abstractEntity: "the object is of an abstract entity, which cannot have objects"
        case .outsideConfiguration:
            "the objects are of an entity that is not in the store's configuration, so Core Data never sees them here"
        case .lockCounterInvalid: "Z_OPT is not a positive number"
        case .missingValue: "the attribute is required and has no value"
        case .wrongStorageClass: "the value's storage class is not that of its type"
        case .numberOutOfRange: "the number does not fit the attribute's type, so Core Data reads another one"
        case .belowMinimum: "the value is smaller than the model allows"
        case .aboveMaximum: "the value is larger than the model allows"
        case .textTooShort: "the text is shorter than the model allows"
        case .textTooLong: "the text is longer than the model allows"
        case .patternMismatch: "the text does not match the model's regular expression"
        case .predicateFailed: "the value fails a validation predicate of the model"
        case .predicateUnchecked: "a rule of the model cannot be evaluated here"
        case .undecodableValue: "the bytes cannot be decoded as what the attribute holds"
        case .archivedClassWrong: "the archive holds an object of a class that the attribute does not allow"
        case .derivedValueStale: "the derived value is not what its derivation gives"
        case .uniquenessViolated: "other objects have the same values under a uniqueness constraint"
        case .externalValueMalformed: "the value neither holds its data nor names a file as Core Data does"
        case .externalFileMissing: "the file that the value names is missing"
        case .externalFileEmpty: "the file that the value names has no bytes, or is not a plain file"
        case .externalFileUnused: "no value names the file of external data"
        case .danglingReference: "the destination object does not exist"
        case .wrongDestination: "the destination object is of an entity that the relationship does not lead to"
        case .entityColumnWrong: "the entity number beside the key is not the destination's"
        case .danglingJoinRow: "the row links an object that does not exist, or of a wrong entity"
        case .oneSidedInverse: "the destination does not lead back to the object"
        case .missingRelationship: "the relationship is required, and it has no object"
        case .tooFewRelated: "the relationship has fewer objects than the model demands"
        case .tooManyRelated: "the relationship has more objects than the model allows"
        case .orderKeys: "places in an ordered relationship are missing or given twice"
        }
    }
}
