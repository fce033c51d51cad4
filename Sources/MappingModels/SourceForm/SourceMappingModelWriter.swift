internal import KeyedArchives
internal import PredicateExpressions
import TextEncodings
internal import XMLStores

/// Writes Xcode's source mapping models (docs/format/mapping-models.md#source-form).
enum SourceMappingModelWriter {
    /// Returns the content of `xcmapping.xml`.
    ///
    /// Throws `MappingModelWritingError` for an expression that cannot be parsed, and for hashes and other parts that
    /// the form cannot represent.
    static func bytes(of model: MappingModel) throws -> [UInt8] {
        var builder = SourceMappingBuilder()
        try builder.add(model)
        var metadata = PropertyListDictionary()
        metadata["NSPersistenceFrameworkVersion"] = .integer(1344)
        var hashes = PropertyListDictionary()
        for (name, hash) in SourceMappingFormat.hashes {
            hashes[name] = Base64.decode(hash).map { .data($0) }
        }
        metadata["NSStoreModelVersionChecksumKey"] = .string(SourceMappingFormat.checksum)
        metadata["NSStoreModelVersionHashes"] = .dictionary(hashes)
        metadata["NSStoreModelVersionHashesVersion"] = .integer(3)
        metadata["NSStoreModelVersionIdentifiers"] = .array([.string("")])
        let header = XMLStoreHeader(
            uuid: identifier(of: model), nextObjectID: builder.lastNumber, metadata: metadata)
        var text = ""
        let writer = try XMLStoreWriter<Never>(header: header) { text += $0 }
        for object in builder.objects { writer.append(object) }
        writer.finish()
        return Array(text.utf8)
    }

    /// Returns a UUID that is derived from the content (FNV-1a), so that equal mapping models give equal files.
    private static func identifier(of model: MappingModel) -> String {
        var bytes: [UInt8] = []
        for seed in [0xCBF2_9CE4_8422_2325, 0x9AE1_6A3B_2F90_404F] as [UInt64] {
            var hash = seed
            for byte in MappingModelWriter.yaml(model).utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: hash >> shift)) }
        }
        // RFC 9562: version 8 is for custom identifiers.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUIDText.text(bytes)
    }
}

/// Numbers the objects of a file and links them.
struct SourceMappingBuilder {
    private(set) var objects: [XMLStoreObject] = []

    /// The first object in all known files is z102.
    private(set) var lastNumber: Int64 = 101

    mutating func add(_ model: MappingModel) throws {
        let modelID = newID()
        var object = XMLStoreObject(type: SourceMappingFormat.model, id: modelID)
        append("sourcemodelpath", model.sourceModelPath, to: &object)
        append("sourcemodeldata", data: model.editorModels?.source, to: &object)
        append("destinationmodelpath", model.destinationModelPath, to: &object)
        append("destinationmodeldata", data: model.editorModels?.destination, to: &object)
        let ids = model.entityMappings.map { _ in newID() }
        object.relationships = [toMany("entitymappings", SourceMappingFormat.entityMapping, ids)]
        objects.append(object)
        for (index, mapping) in model.entityMappings.enumerated() {
            try add(mapping, id: ids[index], number: index + 1, model: modelID)
        }
    }

    private mutating func add(_ mapping: EntityMapping, id: String, number: Int, model: String) throws {
        let place = MappingModelPlace(entityMapping: mapping.name)
        if let fetch = mapping.sourceExpression,
            fetch
                != EntityMapping(
                    name: "", type: .undefined, sourceEntityName: mapping.sourceEntityName,
                    sourceFilter: mapping.sourceFilter
                ).effectiveSourceExpression
        {
            throw MappingModelWritingError(
                "a source mapping model has no place for the fetch expression \(fetch)", at: place)
        }
        var object = XMLStoreObject(type: SourceMappingFormat.entityMapping, id: id)
        let generated = EntityMapping.generatedName(
            source: mapping.sourceEntityName, destination: mapping.destinationEntityName)
        if mapping.name != generated { append("name", mapping.name, to: &object) }
        append("sourcename", mapping.sourceEntityName, to: &object)
        append("destinationname", mapping.destinationEntityName, to: &object)
        append("mappingtypename", mapping.type.name, to: &object)
        object.attributes.append(.init(name: "mappingnumber", type: "int16", text: "\(number)"))
        object.attributes.append(.init(name: "autogenerateexpression", type: "bool", text: "1"))
        append("migrationpolicyclassname", mapping.migrationPolicyClassName, to: &object)
        append("sourcefilterpredicatestring", mapping.sourceFilter, to: &object)
        append("userinfodata", data: userInfo(FerryUserInfo.userInfo(of: mapping)), to: &object)
        let attributeIDs = mapping.attributeMappings.map { _ in newID() }
        let relationshipIDs = mapping.relationshipMappings.map { _ in newID() }
        object.relationships = [
            toOne("mappingmodel", SourceMappingFormat.model, model),
            toMany("attributemappings", SourceMappingFormat.attributeMapping, attributeIDs),
            toMany("relationshipmappings", SourceMappingFormat.relationshipMapping, relationshipIDs),
        ]
        objects.append(object)
        for (property, propertyID) in zip(mapping.attributeMappings, attributeIDs) {
            try add(property, SourceMappingFormat.attributeMapping, id: propertyID, owner: id, of: mapping)
        }
        for (property, propertyID) in zip(mapping.relationshipMappings, relationshipIDs) {
            try add(property, SourceMappingFormat.relationshipMapping, id: propertyID, owner: id, of: mapping)
        }
    }

    private mutating func add(
        _ property: PropertyMapping, _ type: String, id: String, owner: String, of mapping: EntityMapping
    ) throws {
        let place = MappingModelPlace(entityMapping: mapping.name, property: property.name)
        guard property.transforms.isEmpty else {
            throw MappingModelWritingError("a source mapping model has no place for transforms", at: place)
        }
        var object = XMLStoreObject(type: type, id: id)
        append("name", property.name, to: &object)
        if let text = property.valueExpression {
            append("valueexpressiondata", data: try ExpressionArchive.bytes(text, at: place), to: &object)
        }
        if let isGenerated = property.isExpressionGenerated, type == SourceMappingFormat.relationshipMapping {
            object.attributes.append(
                .init(name: "autogenerateexpression", type: "bool", text: isGenerated ? "1" : "0"))
        }
        append("sourcekeypath", property.sourceKeyPath, to: &object)
        append("sourcemappingname", property.sourceMappingName, to: &object)
        append("userinfodata", data: userInfo(FerryUserInfo.userInfo(of: property)), to: &object)
        object.relationships = [toOne("entitymapping", SourceMappingFormat.entityMapping, owner)]
        objects.append(object)
    }

    private func userInfo(_ userInfo: [String: String]) -> [UInt8]? {
        var builder = KeyedArchiveBuilder()
        return ArchivedUserInfo.add(userInfo, to: &builder).map { builder.bytes(root: $0) }
    }

    private mutating func newID() -> String {
        lastNumber += 1
        return "z\(lastNumber)"
    }

    private func append(_ name: String, _ text: String?, to object: inout XMLStoreObject) {
        if let text { object.attributes.append(.init(name: name, type: "string", text: text)) }
    }

    private func append(_ name: String, data: [UInt8]?, to object: inout XMLStoreObject) {
        if let data { object.attributes.append(.init(name: name, type: "binary", text: Base64.encode(data))) }
    }

    private func toOne(_ name: String, _ destination: String, _ id: String) -> XMLStoreObject.Relationship {
        .init(name: name, minimumCount: 1, maximumCount: 1, destination: destination, ids: [id])
    }

    private func toMany(_ name: String, _ destination: String, _ ids: [String]) -> XMLStoreObject.Relationship {
        .init(name: name, minimumCount: 0, maximumCount: 0, destination: destination, ids: ids)
    }
}
