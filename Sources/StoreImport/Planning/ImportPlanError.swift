public import ImportMappings
import RecordSources

/// An error because of which an import is impossible before a record is read.
public struct ImportPlanError: Error, Equatable, Sendable {
    /// The kinds of errors.
    public enum Code: Equatable, Sendable {
        /// The model does not have the entity; with those that it has.
        case unknownEntity(String, known: [String] = [])
        /// The entity is abstract, so there cannot be new objects of it.
        case abstractEntity(String)
        /// The entity is not in the store's configuration.
        case outsideConfiguration(String)
        /// The entity has no attribute of this name.
        case unknownAttribute(String)
        /// The entity has no relationship of this name.
        case unknownRelationship(String)
        /// The source has no column with this name; with those that it has.
        case unknownColumn(String, known: [String])
        /// Several columns of the source have this name.
        case ambiguousColumn(String)
        /// No object mapping of the record has this ID.
        case unknownObject(String)
        /// Texts cannot be converted to the attribute's type.
        case notConvertible(type: String)
        /// A setting cannot be used; with the reason.
        case badSetting(String)
        /// The model's regular expression is malformed.
        case badPattern(String)
        /// A relationship by key does not specify the attributes of the destination.
        case noKey
        /// A relationship uses a source key, but no object mapping specifies one for objects of the entity.
        case noSourceKey(parts: Int)
        /// An attribute of the key is not mapped.
        case keyNotMapped
        /// The property is transient, so it is not stored.
        case transient
        /// The attribute is derived, so the store computes it.
        case derived
        /// The store has no table or column for the property.
        case noTable(String)
        /// A path into nested records is malformed; with the reason.
        case badPath(String, reason: String)
        /// Two columns have the name of the attribute.
        case twoColumns(String)
        /// No column has the name of an attribute; with the columns and the attributes.
        case noColumnMatches([String], attributes: [String])
        /// Several elements of an XML file may be the records; with their paths.
        case severalRecordPaths([String])
        /// New objects require a value that neither the mapping nor the model specifies.
        case requiredValue
        /// No value of a record would be imported.
        case nothingMapped
        /// No table of the database has the entity's name, or columns with the names of its attributes.
        case noTableMatches
        /// Without a key, it is not known which objects a source contains.
        case noKeyForMirror
    }

    /// The kind of error.
    public let code: Code
    /// The source; nil if the error applies to all sources.
    public var source: String?
    /// The entity; nil if there is none.
    public var entity: String?
    /// The property; nil if there is none.
    public var property: String?
    /// The place in the mapping; nil if there is none.
    public var place: MappingPlace?

    /// Creates an error about a part of a plan.
    public init(_ code: Code, source: String? = nil, entity: String? = nil, property: String? = nil) {
        self.code = code
        self.source = source
        self.entity = entity
        self.property = property
    }
}

extension ImportPlanError: CustomStringConvertible {
    public var description: String {
        let place = [source, entity.map { $0 + (property.map { ".\($0)" } ?? "") } ?? property]
            .compactMap { $0 }.map { $0 + ": " }.joined()
        return place + sentence
    }

    private var sentence: String {
        switch code {
        case .outsideConfiguration(let name):
            "the entity \"\(name)\" is not of the configuration whose objects the store holds"
        case .unknownEntity(let name, let known):
            "the model has no entity \"\(name)\"" + (known.isEmpty ? "" : NameList(known).hint(for: name))
        case .abstractEntity(let name):
            "the entity \"\(name)\" is abstract and has no objects of its own; name one of its subentities"
        case .unknownAttribute(let name): "the entity has no attribute \"\(name)\""
        case .unknownRelationship(let name): "the entity has no relationship \"\(name)\""
        case .unknownColumn(let name, let known):
            "the source has no column \"\(name)\"; it has " + known.prefix(20).joined(separator: ", ")
        case .ambiguousColumn(let name):
            "several columns are called \"\(name)\"; name the columns with \"columns\" in the mapping, and "
                + "say \"header: true\""
        case .unknownObject(let id): "no object of the record has the id \"\(id)\""
        case .notConvertible(let type): "text cannot be converted to the type \(type)"
        case .badSetting(let reason): reason
        case .badPattern(let text): "the model's regular expression \"\(text)\" is not valid"
        case .noKey: "a relationship by key needs the other object's attribute"
        case .noSourceKey(let parts):
            "no mapping gives objects of the entity a \"sourceKey\""
                + (parts == 1 ? "" : " of \(parts) values") + "; add it to the mapping that makes them"
        case .keyNotMapped:
            "the key needs the property, and no column or value of a record fills it; map it, or name another key"
        case .transient: "a transient attribute is not stored"
        case .derived: "a derived attribute is computed by the store"
        case .noTable(let name): "the store has no table or column for \(name)"
        case .badPath(let path, let reason): "the path \"\(path)\" is not valid: \(reason)"
        case .twoColumns:
            "two columns have the attribute's name; write a mapping in which \"columns\" gives "
                + "the columns of a file other names"
        case .noColumnMatches(let columns, let attributes):
            "no column has the name of an attribute; the columns are \(columns.prefix(20).joined(separator: ", ")), "
                + "the attributes \(attributes.prefix(20).joined(separator: ", ")); write a mapping, "
                + "or begin with --draft-mapping"
        case .severalRecordPaths(let paths):
            "the elements \(paths.prefix(20).joined(separator: ", ")) may all be meant; write a mapping that says which with "
                + "\"records\", or begin with --draft-mapping"
        case .nothingMapped: "nothing of a record would become part of the object; map an attribute or a relationship"
        case .noTableMatches:
            "no table of the database has the entity's name, or columns with the names of its attributes; write a mapping, "
                + "or begin with --draft-mapping"
        case .noKeyForMirror: "\"mirror\" needs a key; name one, or leave out \"mirror\""
        case .requiredValue: "new objects need a value, and neither the mapping nor the model gives one"
        }
    }
}
