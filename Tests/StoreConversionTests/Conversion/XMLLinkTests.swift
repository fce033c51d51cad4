import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreConversion
import TestSupport
import Testing

@Suite struct XMLLinkTests {
    private static func model() throws -> ResolvedModel {
        try ResolvedModel(
            ManagedObjectModel(entities: [
                entity(
                    "Team", [attribute("name")],
                    [
                        relationship("members", to: "Person", inverse: "team", many: true, ordered: true),
                        relationship("fans", to: "Person", inverse: "idols", many: true),
                    ]),
                entity(
                    "Person", [attribute("name")],
                    [
                        relationship("team", to: "Team", inverse: "members"),
                        relationship("idols", to: "Team", inverse: "fans", many: true),
                        relationship("boss", to: "Person", inverse: "staff"),
                        relationship("staff", to: "Person", inverse: "boss", many: true),
                        relationship("partner", to: "Person", inverse: "partner"),
                        relationship("friends", to: "Person", inverse: "friends", many: true),
                    ]),
            ]))
    }

    private static func xml(_ objects: String) -> String {
        """
        <?xml version="1.0" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database><databaseInfo><version>134481920</version><UUID>A</UUID><nextObjectID>110</nextObjectID>
        <metadata></metadata></databaseInfo>\(objects)</database>
        """
    }

    private static func object(_ type: String, _ id: Int, _ links: [(String, String)] = []) -> String {
        "<object type=\"\(type)\" id=\"z\(id)\">"
            + links.map {
                "<relationship name=\"\($0.0)\" type=\"0/0\" destination=\"X\" idrefs=\"\($0.1)\"></relationship>"
            }.joined() + "</object>"
    }

    private func links(
        _ objects: String, of id: Int64, _ name: String, codes: [ConversionFinding.Code]
    ) throws -> [Int64] {
        let directory = try TemporaryDirectory()
        let model = try Self.model()
        let path = try directory.write(Self.xml(objects), to: "a.xml")
        let report = try convert([path], to: .sqlite, directory.file("a.sqlite"), model) { $0.keepsIDs = true }
        #expect(report.findings.map(\.code) == codes)
        let store = try InMemoryStore(path: directory.file("a.sqlite"), model: model)
        let forms = ObjectForms(model)
        let object = try #require(store.objects.first { $0.key == id })
        let place = try #require(forms.entities[object.slot].relationships.firstIndex { $0.name == name })
        return Array(object.links(at: place))
    }

    @Test func anOrderedListKeepsItsOrderWhereItLeadsForward() throws {
        let objects =
            Self.object("TEAM", 102, [("members", "z105 z103 z104")])
            + [103, 104, 105].map { Self.object("PERSON", $0, [("team", "z102")]) }.joined()
        #expect(try links(objects, of: 102, "members", codes: []) == [105, 103, 104])
    }

    @Test func theMissingDirectionOfAListIsAdded() throws {
        let objects =
            Self.object("PERSON", 103) + Self.object("PERSON", 104)
            + Self.object("PERSON", 102, [("staff", "z104 z103")])
        #expect(try links(objects, of: 103, "boss", codes: [.oneSidedRelationship]) == [102])
        #expect(try links(objects, of: 102, "staff", codes: [.oneSidedRelationship]) == [103, 104])
    }

    @Test func theMissingListOfAToOneIsAddedBehindTheOthers() throws {
        let objects =
            Self.object("TEAM", 102, [("members", "z104")])
            + [103, 104].map { Self.object("PERSON", $0, [("team", "z102")]) }.joined()
        #expect(try links(objects, of: 102, "members", codes: []) == [104, 103])
    }

    @Test func theMissingDirectionOfAManyToManyIsAdded() throws {
        let forward = Self.object("TEAM", 102, [("fans", "z103")]) + Self.object("PERSON", 103)
        #expect(try links(forward, of: 103, "idols", codes: [.oneSidedRelationship]) == [102])
        let backward = Self.object("TEAM", 102) + Self.object("PERSON", 103, [("idols", "z102")])
        #expect(try links(backward, of: 102, "fans", codes: []) == [103])
    }

    @Test func theMissingDirectionOfAOneToOneIsAdded() throws {
        let objects = Self.object("PERSON", 102, [("partner", "z103")]) + Self.object("PERSON", 103)
        #expect(try links(objects, of: 103, "partner", codes: [.oneSidedRelationship]) == [102])
        let friends = Self.object("PERSON", 102, [("friends", "z103")]) + Self.object("PERSON", 103)
        #expect(try links(friends, of: 103, "friends", codes: [.oneSidedRelationship]) == [102])
    }

    @Test func referencesToNothingAreLeftOutAndReported() throws {
        let objects = Self.object("PERSON", 102, [("boss", "z999"), ("friends", "z998")])
        #expect(
            try links(objects, of: 102, "boss", codes: [.danglingReference, .danglingReference]) == [])
    }

    @Test func contradictionsAreSettledByTheToOneAndReported() throws {
        let objects =
            Self.object("PERSON", 102, [("staff", "z104")]) + Self.object("PERSON", 103, [("staff", "z104")])
            + Self.object("PERSON", 104, [("boss", "z103")])
        #expect(try links(objects, of: 104, "boss", codes: [.conflictingInverse]) == [103])
    }

    @Test(arguments: [
        (object("NOBODY", 102), "no entity NOBODY"),
        (object("PERSON", 102, [("enemies", "z102")]), "no relationship"),
        (object("PERSON", 102, [("boss", "z102 z103")]), "2 objects"),
        (object("PERSON", 102, [("boss", "102")]), "not an id"),
        (object("PERSON", 0), "not an id"),
        ("<object type='PERSON' id='z1'><attribute name='age' type='int16'>1</attribute></object>", "no attribute age"),
    ])
    func whatTheModelHasNotIsAnErrorWithItsLine(_ objects: String, _ words: String) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Self.xml(objects), to: "a.xml")
        let error = #expect(throws: (any Error).self) {
            try convert([path], to: .sqlite, directory.file("a.sqlite"), try Self.model())
        }
        #expect(error.map { "\($0)" }?.contains(words) == true)
        #expect(error.map { "\($0)" }?.contains("a.xml:5") == true)
        #expect(try FileSystem.names(in: FileSystem.directory(of: path)) == ["a.xml"])
    }

    @Test func anIdTwiceIsAnError() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Self.xml(Self.object("PERSON", 102) + Self.object("PERSON", 102)), to: "a.xml")
        #expect(throws: ConversionError(.duplicateKey(entity: "Person", key: 102), path: path)) {
            try convert([path], to: .sqlite, directory.file("a.sqlite"), try Self.model())
        }
    }
}
