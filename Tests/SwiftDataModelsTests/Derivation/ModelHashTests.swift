import ManagedObjectModels
import TestSupport
import Testing

@testable import SwiftDataModels

/// The expected hashes are those of another implementation of the rules.
@Suite struct ModelHashTests {
    @Test
    func everyEstablishedTypeHasItsPlaceInTheHash() throws {
        let source = try SourceFolder([
            "Everything.swift": """
            @Model final class Everything {
                var text: String
                var flag: Bool
                var whole: Int
                var wide: Int64
                var unsignedWide: UInt64
                var middle: Int32
                var unsignedMiddle: UInt32
                var small: Int16
                var byte: UInt8
                var real: Double
                var date: Date
                var data: Data
                var id: UUID
                var amount: Decimal
                var maybe: Optional<String>
                var tags: [String]
                var blobs: [Data]?
                @Attribute(.externalStorage) var photo: Data?
                var level: Level
                var address: Address?
                private var _hidden = 1.5
                let fixed = "x"
                weak var parent: Everything?
                var computed: Int { whole }
                static var shared = 1
                @Transient var cached = 0
                @Attribute(.ephemeral) var shown: Bool = false
                lazy var late = 1
                @Attribute(.transformable(by: ColorTransformer.self)) var color: UIColor?
                @Attribute(.unique) var code: String = ""
            }
            """,
            "Values.swift": """
            enum Level: Int, Codable { case low, high }
            enum Side: String, Codable { case left, right }
            struct Address: Codable { var street: String; var inner: Inner; var side: Side }
            struct Inner { var street: String?; var number: Int }
            extension Inner: Codable { }
            """,
        ])
        #expect(
            try source.hashes("Everything")
                == ["Everything": "903c8dc9d4d6c40194d55ae86e4e559a60965fde00dfc557918323110ed667b8"])
        #expect(try source.document(["Everything"]).hashDoubts.isEmpty)
    }

    @Test
    func relationshipsHaveTheirInversesAndReachTheirDestinations() throws {
        let source = try SourceFolder(
            """
            @Model class Author {
                var name = ""
                @Relationship(deleteRule: .cascade, inverse: \\Book.author) var books: [Book]?
                @Relationship var friends: [Author]
            }
            @Model class Book {
                #Unique<Book>([\\.title, \\.author], [\\.isbn])
                var title: String
                var isbn: Int
                var author: Author?
                var shelf: Shelf?
            }
            @Model class Shelf { var books: [Book] = [] }
            @Model class Elsewhere { var x: Int }
            """)
        #expect(
            try source.hashes("Author") == [
                "Author": "e8f94dd1beca82a43f1254e52b552024d66758b3c587a30e22dab6c2625e76ad",
                "Book": "a8bbedfc5c0391248b7deb0bde85630792d271fc08f75b662ce20c96afb5e76f",
                "Shelf": "5297d66f9be261a898f18ed8a441085ac77a9b7c2b7f447726d048b203220491",
            ])
        let remarks = try source.document(["Author"]).warnings.map { "\($0.entity ?? "").\($0.property ?? "")" }
        #expect(remarks == ["Book.shelf"])
    }

    @Test
    func versionsOfTheSampleHaveTheirHashes() throws {
        let versions = try ModelVersions(path: Samples.path + "/Trips", swiftData: SwiftDataSelection())
        #expect(versions.versions.map(\.name) == ["TripsSchemaV1", "TripsSchemaV2"])
        #expect(try versions.current().name == "TripsSchemaV2")
        let hashes = try versions.versions.map {
            ModelHashes.hashes(of: try ResolvedModel($0.model())).mapValues { String($0.hex.prefix(16)) }
        }
        #expect(
            hashes == [
                ["Stop": "cd9e3b7026481c4a", "Trip": "db14222bd917c02e"],
                ["Stop": "25d1d69cdaecfbf2", "Trip": "07b6159e8f882ebd"],
            ])
        #expect(versions.bundles[0].stages == [.init(from: "TripsSchemaV1", to: "TripsSchemaV2", isCustom: false)])
    }
}
