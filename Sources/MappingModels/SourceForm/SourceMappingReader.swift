internal import DocumentReading
internal import KeyedArchives
internal import PredicateExpressions
import TextEncodings
internal import XMLStores

/// Reads Xcode's source mapping models: an XML store of the editor's objects
/// (docs/format/mapping-models.md#source-form).
enum SourceMappingReader {
    /// The name of the store inside a folder `X.xcmappingmodel`.
    static let fileName = "xcmapping.xml"

    static func read(_ source: SourceText) throws(DocumentError) -> MappingModelDocument {
        var parser = try SourceMappingParser(source)
        let model = try parser.model()
        if let (mapping, sentence) = model.incompleteness {
            throw DocumentError(
                .unacceptable, sentence,
                at: parser.locations[MappingModelPlace(entityMapping: mapping)]
                    ?? SourceLocation(file: source.name, line: 1))
        }
        return MappingModelDocument(
            model: model, form: .source, name: source.name, warnings: parser.warnings, source: source,
            locations: parser.locations)
    }
}

/// Makes a mapping model from the objects of one file, which refer to each other by ID.
struct SourceMappingParser {
    private(set) var warnings: [DocumentError] = []
    private(set) var locations: [MappingModelPlace: SourceLocation] = [:]
    private let name: String
    private var objects: [String: XMLStoreObject] = [:]
    private var root: XMLStoreObject?
    private var usedIDs: Set<String> = []

    init(_ source: SourceText) throws(DocumentError) {
        name = source.name
        let reader = try XMLStoreReader(bytes: source.bytes, name: source.name)
        while let object = try reader.next() {
            if object.type == SourceMappingFormat.model {
                guard root == nil else { throw error("the file holds two mapping models", object) }
                root = object
            }
            guard objects.updateValue(object, forKey: object.id) == nil else {
                throw error("the id \"\(object.id)\" is given twice", object)
            }
        }
    }

    mutating func model() throws(DocumentError) -> MappingModel {
        guard let root else {
            throw DocumentError(
                .unacceptable, "this XML store holds no mapping model", at: SourceLocation(file: name, line: 1))
        }
        usedIDs.insert(root.id)
        warnUnknown(
            in: root, ["sourcemodelpath", "destinationmodelpath", "sourcemodeldata", "destinationmodeldata"],
            ["entitymappings"])
        let (source, destination) = (try data("sourcemodeldata", of: root), try data("destinationmodeldata", of: root))
        var numbered: [(number: Int, mapping: EntityMapping)] = []
        for object in try related("entitymappings", of: root, type: SourceMappingFormat.entityMapping) {
            numbered.append((try integer("mappingnumber", of: object) ?? Int.max, try entityMapping(object)))
        }
        for object in objects.values.sorted(by: { $0.id < $1.id }) where !usedIDs.contains(object.id) {
            warn("the object \(object.id) (\(object.type)) is not part of the mapping model and is skipped", object)
        }
        // The numbers give the order of execution; equal ones keep the order of the file's list.
        let sorted = numbered.enumerated()
            .sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }.map(\.element.mapping)
        return MappingModel(
            entityMappings: sorted, sourceModelPath: root.attribute("sourcemodelpath")?.text,
            destinationModelPath: root.attribute("destinationmodelpath")?.text,
            editorModels: source == nil && destination == nil
                ? nil : MappingModel.EditorModels(source: source, destination: destination))
    }

    private mutating func entityMapping(_ object: XMLStoreObject) throws(DocumentError) -> EntityMapping {
        warnUnknown(
            in: object,
            [
                "name", "sourcename", "destinationname", "mappingtypename", "mappingnumber", "autogenerateexpression",
                "migrationpolicyclassname", "sourcefilterpredicatestring", "userinfodata",
            ], ["mappingmodel", "attributemappings", "relationshipmappings"])
        let (source, destination) = (object.attribute("sourcename")?.text, object.attribute("destinationname")?.text)
        let typeName = object.attribute("mappingtypename")?.text ?? EntityMappingType.undefined.name
        guard let type = EntityMappingType(name: typeName) else {
            throw error("\"\(typeName)\" is not a type of entity mapping", object)
        }
        let name =
            object.attribute("name")?.text
            ?? EntityMapping.generatedName(source: source, destination: destination)
        locations[MappingModelPlace(entityMapping: name)] = object.location
        var mapping = EntityMapping(
            name: name, type: type, sourceEntityName: source, destinationEntityName: destination)
        mapping.sourceFilter =
            object.attribute("sourcefilterpredicatestring").flatMap { $0.text.isEmpty ? nil : $0.text }
        // A field that was cleared in the editor is an empty text.
        mapping.migrationPolicyClassName =
            object.attribute("migrationpolicyclassname").flatMap { $0.text.isEmpty ? nil : $0.text }
        mapping.userInfo = try userInfo(of: object)
        FerryUserInfo.take(from: &mapping)
        for part in try related("attributemappings", of: object, type: SourceMappingFormat.attributeMapping) {
            mapping.attributeMappings.append(try property(part, of: name))
        }
        for part in try related("relationshipmappings", of: object, type: SourceMappingFormat.relationshipMapping) {
            mapping.relationshipMappings.append(try property(part, of: name))
        }
        // The file's lists have no order.
        mapping.attributeMappings.sort { $0.name < $1.name }
        mapping.relationshipMappings.sort { $0.name < $1.name }
        return mapping
    }

    private mutating func property(
        _ object: XMLStoreObject, of mapping: String
    ) throws(DocumentError) -> PropertyMapping {
        warnUnknown(
            in: object,
            [
                "name", "valueexpressiondata", "userinfodata", "autogenerateexpression", "sourcekeypath",
                "sourcemappingname",
            ], ["entitymapping"])
        let name = object.attribute("name")?.text ?? ""
        locations[MappingModelPlace(entityMapping: mapping, property: name)] = object.location
        var property = PropertyMapping(name: name)
        property.valueExpression = try expression("valueexpressiondata", of: object)
        property.sourceKeyPath = object.attribute("sourcekeypath")?.text
        property.sourceMappingName = object.attribute("sourcemappingname")?.text
        // Only relationships have the flag; the compiler always adds missing expressions of attributes.
        let isAttribute = object.type == SourceMappingFormat.attributeMapping
        property.isExpressionGenerated =
            isAttribute
            ? property.valueExpression == nil ? true : nil
            : object.attribute("autogenerateexpression").map { $0.text != "0" }
        property.userInfo = try userInfo(of: object)
        FerryUserInfo.take(from: &property)
        return property
    }

    // MARK: Objects and values

    private mutating func related(
        _ relationship: String, of object: XMLStoreObject, type: String
    ) throws(DocumentError) -> [XMLStoreObject] {
        var result: [XMLStoreObject] = []
        for id in object.relationship(relationship)?.ids ?? [] {
            guard let other = objects[id] else {
                throw error("\(relationship) of \(object.id) leads to \(id), which is not in the file", object)
            }
            guard other.type == type else {
                throw error("\(relationship) of \(object.id) leads to \(id), which is a \(other.type)", other)
            }
            guard usedIDs.insert(id).inserted else {
                throw error("\(id) belongs to two objects", other)
            }
            result.append(other)
        }
        return result
    }

    private func integer(_ name: String, of object: XMLStoreObject) throws(DocumentError) -> Int? {
        guard let text = object.attribute(name)?.text else { return nil }
        guard let number = Int(text) else { throw error("\(name) \"\(text)\" is not a number", object) }
        return number
    }

    private func data(_ name: String, of object: XMLStoreObject) throws(DocumentError) -> [UInt8]? {
        guard let text = object.attribute(name)?.text else { return nil }
        guard let bytes = Base64.decode(text) else { throw error("\(name) is not base 64", object) }
        return bytes
    }

    private func expression(_ name: String, of object: XMLStoreObject) throws(DocumentError) -> String? {
        guard let bytes = try data(name, of: object) else { return nil }
        do {
            return try Expression(archive: bytes).format
        } catch let problem {
            throw error("\(name) cannot be read as an expression: \(problem)", object)
        }
    }

    /// Returns the dictionary of texts; values of other types are reported.
    private mutating func userInfo(of object: XMLStoreObject) throws(DocumentError) -> [String: String] {
        guard let bytes = try data("userinfodata", of: object) else { return [:] }
        do {
            let (texts, others) = try ArchivedUserInfo.read(KeyedArchive(bytes).root())
            for key in others {
                warn(
                    "the value of \"\(key)\" in the user info is not a string and is "
                        + "skipped", object)
            }
            return texts
        } catch let problem {
            throw error("userinfodata cannot be read as a dictionary: \(problem)", object)
        }
    }

    private mutating func warnUnknown(in object: XMLStoreObject, _ attributes: [String], _ relationships: [String]) {
        for attribute in object.attributes where !attributes.contains(attribute.name) {
            warn("\(object.type) has an unknown attribute \"\(attribute.name)\", which is skipped", object)
        }
        for relationship in object.relationships where !relationships.contains(relationship.name) {
            warn(
                "\(object.type) has an unknown relationship \"\(relationship.name)\", which is skipped", object
            )
        }
    }

    private mutating func warn(_ sentence: String, _ object: XMLStoreObject) {
        warnings.append(error(sentence, object))
    }

    private func error(_ sentence: String, _ object: XMLStoreObject) -> DocumentError {
        DocumentError(.unacceptable, sentence, at: object.location ?? SourceLocation(file: name, line: 1))
    }
}
