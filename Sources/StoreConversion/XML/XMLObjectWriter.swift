import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import TextEncodings
import XMLStores

/// Writes an XML store object by object, in the layout that Core Data writes.
final class XMLObjectWriter: ObjectWriter {
    /// The texts around the values of an entity's objects, created once.
    private final class Entity {
        let form: EntityForm
        let types: [AttributeType]
        /// All of these texts in one array, so that only one array is accessed for each object.
        let parts: [UInt8]
        let opening: Range<Int>
        /// The text before each value, by the index of the attribute.
        let attributes: [Range<Int>]
        /// The text before each list of links, by the index of the relationship.
        let relationships: [Range<Int>]

        init(_ form: EntityForm, opening: String, attributes: [String], relationships: [String]) {
            self.form = form
            types = form.attributes.map(\.type)
            var parts: [UInt8] = []
            func part(_ text: String) -> Range<Int> {
                let start = parts.count
                parts += text.utf8
                return start..<parts.count
            }
            self.opening = part(opening)
            self.attributes = attributes.map(part)
            self.relationships = relationships.map(part)
            self.parts = parts
        }
    }

    private let output: BufferedOutput
    private let entities: [Entity]
    private let findings: ConversionFindings

    init(
        _ output: BufferedOutput, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64,
        findings: ConversionFindings
    ) throws {
        self.findings = findings
        self.output = output
        entities = forms.entities.map { form in
            func name(_ text: String) -> String { XMLText.escaped(text) }
            return Entity(
                form, opening: "    <object type=\"\(name(form.name.uppercased()))\" id=\"z",
                attributes: form.attributes.map {
                    "        <attribute name=\"\(name($0.name.lowercased()))\" type=\"\(Self.type($0.type))\">"
                },
                relationships: form.relationships.map { relationship in
                    let counts = "\(relationship.description.minimumCount)/\(relationship.description.maximumCount)"
                    let destination = forms.entities[relationship.destination].name.uppercased()
                    return "        <relationship name=\"\(name(relationship.name.lowercased()))\" type=\"\(counts)\" "
                        + "destination=\"\(name(destination))\""
                })
        }
        var entries = metadata.entries
        for key in [StoreMetadata.Key.storeType, StoreMetadata.Key.storeUUID, StoreMetadata.Key.autoVacuumLevel] {
            entries[key] = nil
        }
        let header = XMLStoreHeader(uuid: metadata.uuid, nextObjectID: highestKey, metadata: entries)
        let output = output
        _ = try XMLStoreWriter<Never>(header: header) { output.buffer += $0.utf8 }
    }

    func append(_ object: borrowing StoredObject) throws {
        let entity = entities[object.slot]
        let parts = entity.parts
        output.buffer.append(copying: parts.span.extracting(entity.opening))
        output.buffer.append(integer: object.key)
        output.buffer.append(text: "\">\n")
        for place in entity.attributes.indices {
            let value = object.values[place]
            if value == .null { continue }
            output.buffer.append(copying: parts.span.extracting(entity.attributes[place]))
            append(value, of: object, entity, place)
            output.buffer.append(text: "</attribute>\n")
        }
        for place in entity.relationships.indices {
            output.buffer.append(copying: parts.span.extracting(entity.relationships[place]))
            append(object.links(at: place))
            output.buffer.append(text: "></relationship>\n")
        }
        output.buffer.append(text: "    </object>\n")
        try output.flushIfFull()
    }

    private func append(
        _ value: ArenaValue, of object: borrowing StoredObject, _ entity: Entity, _ place: Int
    ) {
        let type = entity.types[place]
        switch value {
        case .null: break
        case .integer(let number): output.buffer.append(integer: number)
        case .real(let number):
            if type == .date {
                ByteText.append(date: number, to: &output.buffer)
            } else {
                ByteText.append(number, isSingle: type == .float, to: &output.buffer)
            }
        case .text(let range):
            let bytes = object.bytes
            if !XMLStoreText.appendEscaped(bytes.span.extracting(range.range), to: &output.buffer) {
                findings.add(.invalidText, "\(entity.form.name).\(entity.form.attributes[place].name)", key: object.key)
            }
        case .blob(let range):
            if type == .uuid {
                return output.buffer.append(uuid: object.bytes[range.range].span)
            }
            let bytes = object.bytes
            appendBase64(bytes.span.extracting(range.range))
        }
    }

    /// Appends Base64 as Core Data does: 76 characters, the rest on a second line, and a line end.
    private func appendBase64(_ bytes: Span<UInt8>) {
        let first = min(57, bytes.count)
        output.buffer.append(base64: bytes.extracting(0..<first))
        output.buffer.append(UInt8(ascii: "\n"))
        guard bytes.count > first else { return }
        output.buffer.append(base64: bytes.extracting(first..<bytes.count))
        output.buffer.append(UInt8(ascii: "\n"))
    }

    private func append(_ links: ArraySlice<Int64>) {
        guard !links.isEmpty else { return }
        output.buffer.append(text: " idrefs=\"")
        var isFirst = true
        for link in links {
            if !isFirst { output.buffer.append(UInt8(ascii: " ")) }
            isFirst = false
            output.buffer.append(UInt8(ascii: "z"))
            output.buffer.append(integer: link)
        }
        output.buffer.append(UInt8(ascii: "\""))
    }

    func finish() throws {
        output.buffer += "</database>".utf8
        try output.flush()
    }

    /// Returns the name of a type as in real files; those of UUID, URI and Transformable are chosen by analogy.
    private static func type(_ type: AttributeType) -> String {
        switch type {
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .decimal: "decimal"
        case .double: "double"
        case .float: "float"
        case .boolean: "bool"
        case .date: "date"
        case .string: "string"
        case .uri: "uri"
        case .uuid: "uuid"
        case .transformable: "transformable"
        case .binaryData, .undefined, .objectID, .composite: "binary"
        }
    }
}
