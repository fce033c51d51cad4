/// What makes an import impossible before a record is read.
public struct ImportPlanError: Error, Equatable, Sendable {
    public enum Code: Equatable, Sendable {
        /// An entity that the model does not have, and those that it has.
        case unknownEntity(String, known: [String] = [])
        case abstractEntity(String)
        case outsideConfiguration(String)
        case unknownAttribute(String)
        case unknownRelationship(String)
        case unknownColumn(String, known: [String])
        case ambiguousColumn(String)
        case unknownObject(String)
        case notConvertible(type: String)
        case badSetting(String)
        case badPattern(String)
        case noKey
        /// A relationship by a source key that no object mapping gives to objects of the entity.
        case noSourceKey(parts: Int)
        /// An attribute of the key that nothing fills.
        case keyNotMapped
        case transient
        case derived
        case noTable(String)
        case badPath(String, reason: String)
        case twoColumns(String)
        case noColumnMatches([String], attributes: [String])
        /// The paths of an XML file's elements that may be meant.
        case severalRecordPaths([String])
        case requiredValue
        case nothingMapped
        case noTableMatches
        /// It is not known which objects a source without a key has.
        case noKeyForMirror
    }

    public let code: Code
    public var source: String?
    public var entity: String?
    public var property: String?
    /// Where in the mapping it is; nil if there is none.
    public var place: MappingPlace?

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
