import GeneratedStores
import ManagedObjectModels
import StoreConversion
import TestSupport
import Testing
import XMLStores

/// Xcode's mapping models are XML stores of Core Data: they come back as they were.
@Suite(.enabled(if: Corpus.isPresent, "there is no corpus"))
struct MappingModelStoreTests {
    private static func model() throws -> ResolvedModel {
        try ResolvedModel(
            ManagedObjectModel(entities: [
                entity(
                    "XDDevMappingModel",
                    [
                        attribute("sourcemodelpath"), attribute("destinationmodelpath"),
                        attribute("sourcemodeldata", .binaryData), attribute("destinationmodeldata", .binaryData),
                    ], [relationship("entitymappings", to: "XDDevEntityMapping", inverse: "mappingmodel", many: true)]),
                entity(
                    "XDDevEntityMapping",
                    [
                        attribute("name"), attribute("sourcename"), attribute("destinationname"),
                        attribute("mappingtypename"), attribute("mappingnumber", .integer16),
                        attribute("autogenerateexpression", .boolean), attribute("migrationpolicyclassname"),
                        attribute("sourcefilterpredicatestring"), attribute("userinfodata", .binaryData),
                    ],
                    [
                        relationship("mappingmodel", to: "XDDevMappingModel", inverse: "entitymappings"),
                        relationship(
                            "attributemappings", to: "XDDevAttributeMapping", inverse: "entitymapping", many: true),
                        relationship(
                            "relationshipmappings", to: "XDDevRelationshipMapping", inverse: "entitymapping", many: true
                        ),
                    ]),
                entity(
                    "XDDevAttributeMapping",
                    [
                        attribute("name"), attribute("valueexpressiondata", .binaryData),
                        attribute("userinfodata", .binaryData),
                    ], [relationship("entitymapping", to: "XDDevEntityMapping", inverse: "attributemappings")]),
                entity(
                    "XDDevRelationshipMapping",
                    [
                        attribute("name"), attribute("autogenerateexpression", .boolean), attribute("sourcekeypath"),
                        attribute("sourcemappingname"), attribute("valueexpressiondata", .binaryData),
                        attribute("userinfodata", .binaryData),
                    ], [relationship("entitymapping", to: "XDDevEntityMapping", inverse: "relationshipmappings")]),
            ]))
    }

    @Test(.long) func theyComeBack() throws {
        let model = try Self.model()
        let directory = try TemporaryDirectory()
        let paths = Corpus.files(under: "2_mappings") { $0 == "xcmapping.xml" }
        #expect(paths.count > 50)
        // Some have megabytes of data: every fifth is enough here.
        for (number, path) in paths.enumerated() where number.isMultiple(of: 5) {
            let copy = directory.file("\(number).xml")
            try convert([path], to: .xml, copy, model) { $0.keepsIDs = true }
            let (old, new) = (try objects(path), try objects(copy))
            #expect(old.header.uuid == new.header.uuid)
            #expect(old.header.nextObjectID == new.header.nextObjectID)
            #expect(old.lines == new.lines, "\(path)")
        }
    }

    private func objects(_ path: String) throws -> (header: XMLStoreHeader, lines: Set<String>) {
        let reader = try XMLStoreReader(path: path)
        var lines: Set<String> = []
        while let object = try reader.next() {
            let attributes = object.attributes.map { attribute in
                let isData = attribute.type == "binary"
                return "\(attribute.name) \(attribute.type) "
                    + (isData ? attribute.text.filter { !$0.isWhitespace } : attribute.text)
            }
            let links = object.relationships.map { "\($0.name) \($0.destination) \(Set($0.ids).sorted())" }
            lines.insert("\(object.type) \(object.id) \((attributes + links).sorted())")
        }
        return (reader.header, lines)
    }
}
