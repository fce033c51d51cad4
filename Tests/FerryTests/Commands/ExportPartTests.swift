import Foundation
import TestSupport
import Testing

/// What lies in the parts of a record comes back: lists in elements of their own, places in arrays, inner attributes.
@Suite struct ExportPartTests {
    private let directory: TemporaryDirectory
    private let trip: ExportRoundTrip

    init() throws {
        directory = try TemporaryDirectory()
        trip = ExportRoundTrip(directory: directory)
    }

    /// A file of a format with a sample's mapping, and formats that its objects come back in.
    struct Source: Sendable, CustomTestStringConvertible {
        let folder: String
        let mapping: String
        let file: String
        /// Ordered relationships, by the entities that have them.
        var lists: [(String, String)] = []
        let text: String
        var testDescription: String { file }
    }

    static let sources = [
        Source(
            folder: "Tracks", mapping: "gpx", file: "hike.gpx", lists: [("Track", "points.latitude")],
            text: """
                <gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="46.5" lon="13.75"><name>Vršič</name></wpt>
                <trk><name>Up</name>
                <trkseg><trkpt lat="2" lon="1"><ele>7.5</ele></trkpt><trkpt lat="1" lon="1"/></trkseg>
                <trkseg><trkpt lat="3" lon="1"><time>2024-02-29T10:00:00Z</time></trkpt></trkseg></trk>
                <trk><name>Nowhere</name></trk></gpx>
                """),
        Source(
            folder: "StreetMap", mapping: "osm", file: "area.osm",
            lists: [("Relation", "ways.id"), ("Way", "nodes.id")],
            text: """
                <osm><node id="1" lat="1" lon="1"/><node id="2" lat="2" lon="2"/>
                <way id="7"><nd ref="2"/><nd ref="1"/><tag k="name" v="a &amp; b"/><tag k="b" v=" "/></way>
                <way id="8"><tag k="name" v="c"/></way>
                <relation id="9">
                <member type="way" ref="8"/><member type="node" ref="1"/><member type="way" ref="7"/></relation>
                </osm>
                """),
        Source(
            folder: "Feeds", mapping: "rss", file: "feed.rss",
            text: """
                <rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><item><guid>1</guid><title>A</title>
                <dc:creator>Me</dc:creator><category>x</category><category>y</category>
                <pubDate>Thu, 29 Feb 2024 10:00:00 +0100</pubDate></item><item><guid>2</guid></item></channel></rss>
                """),
        Source(
            folder: "Atlas", mapping: "atlas", file: "countries.json",
            text: """
                [{"cca3": "CHE", "name": {"common": "Switzerland", "official": "Swiss"}, "capital": ["Bern"],
                "latlng": [47, 8], "borders": ["AUT"], "subregion": ""},
                {"cca3": "AUT", "name": {"common": "Austria"}, "capital": [], "latlng": [null, 13.33],
                "borders": ["CHE"]}]
                """),
    ]

    @Test(.long, arguments: sources, [nil, "json", "ndjson", "xml"])
    func theFilesOfTheSamplesComeBack(source: Source, format: String?) throws {
        let folder = "\(Samples.path)/Mappings/\(source.folder)"
        let (models, mapping) = ("\(folder)/\(source.folder).xcdatamodel", "\(folder)/\(source.mapping).yaml")
        try directory.write(source.text, to: source.file)
        let first = try trip.ferry(
            ["import", source.file, "--mapping", mapping, "--models", models, "--store", "a.sqlite"]
                + ["--progress", "none"])
        #expect(first.status < 2, "\(first.summary)")
        try trip.expectInverse("a.sqlite", models, mapping, format, status: 0)
        for (entity, list) in source.lists {
            let words = ["--models", models, "--entity", entity, "--columns", list, "--format", "ndjson"]
            let old = try trip.ferry(["fetch", "a.sqlite"] + words)
            #expect(try old.status == 0 && old.output == trip.ferry(["fetch", "again.sqlite"] + words).output)
        }
    }

    /// A model of links that belong to an entry or to nobody, and have no key.
    private func atom() throws -> String {
        let model = directory.file("Atom.xcdatamodel")
        try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: false)
        func entity(
            _ name: String, _ attributes: [String], _ relationship: String, to other: String, _ inverse: String
        ) -> String {
            "<entity name=\"\(name)\">"
                + attributes.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }.joined()
                + "<relationship optional=\"YES\" deletionRule=\"Nullify\" \(relationship) "
                + "destinationEntity=\"\(other)\" inverseName=\"\(inverse)\" inverseEntity=\"\(other)\"/></entity>"
        }
        try directory.write(
            "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">"
                + entity("Entry", ["id"], "name=\"links\" toMany=\"YES\"", to: "Link", "entry")
                + entity("Link", ["to", "rel"], "name=\"entry\" maxCount=\"1\"", to: "Entry", "links")
                + "</model>", to: "Atom.xcdatamodel/contents")
        return model
    }

    /// Objects without a key are in the records of their owners, and the others in records of their own: none twice.
    @Test(arguments: [nil, "json", "xml"]) func objectsOfOthersAreNotInRecordsOfTheirOwn(format: String?) throws {
        let model = try atom()
        try directory.write(
            """
            import: 1
            sources:
              - files: '*.atom'
                format: xml
                records: /feed/link
                entity: Link
                attributes: {to: '@href', rel: '@rel'}
              - files: '*.atom'
                format: xml
                records: /feed/entry
                entity: Entry
                key: id
                attributes: {id: id}
                relationships:
                  links: {each: 'link[*]', entity: Link, attributes: {to: '@href', rel: '@rel'}}
            """, to: "m.yaml")
        try directory.write(
            """
            <feed><link href="a" rel="self"/><entry><id>1</id><link href="a"/><link href="b"/></entry>
            <entry><id>2</id><link href="a"/></entry></feed>
            """, to: "in.atom")
        let first = try trip.ferry(
            ["import", "in.atom", "--mapping", "m.yaml", "--models", model, "--store", "a.sqlite"]
                + ["--progress", "none"])
        #expect(first.isComplete, "\(first.summary)")
        try trip.expectInverse("a.sqlite", model, directory.file("m.yaml"), format, status: 0)
    }

    /// Names of columns that no element can have are others in the mapping that is written beside the file.
    @Test func columnsBecomeNamesOfElements() throws {
        let store = try Samples.buildStore("Company", in: directory)
        try directory.write(
            """
            import: 1
            files: d.csv
            entity: Department
            key: code
            attributes: {name: 'Name of it', code: 1st (code), budget: {from: 'a.b: €', default: ''}}
            """, to: "m.yaml")
        let words = ["--models", Self.model, "--version", "Company"]
        let run = try trip.ferry(
            ["export", store, "--mapping", "m.yaml", "--format", "xml", "--output", "d.xml"]
                + ["--write-mapping", "w.yaml"] + words)
        let text = try String(contentsOfFile: directory.file("d.xml"), encoding: .utf8)
        let record = "<Name_of_it>Engineering</Name_of_it><_1st__code_>10</_1st__code_><a_b___>"
        #expect(text.contains(record), "\(run.summary)")
        let again = try trip.ferry(["import", "d.xml", "--mapping", "w.yaml", "--store", "b.sqlite"] + words)
        #expect(again.status == 0 && again.output.contains("Department         6"), "\(again.summary)")
    }

    // MARK: Places and texts of elements

    private static let model = Samples.models("Company")

    /// What of a store's departments comes back through a mapping of them, and the file.
    private func departments(
        _ format: String, _ attributes: String
    ) throws -> (run: ToolProcess.Result, file: String, old: [String], new: [String]) {
        let store = try Samples.buildStore("Company", in: directory)
        let records = format == "xml" ? "records: /all/one\n" : ""
        try directory.write(
            "import: 1\nfiles: out.\(format)\n\(records)entity: Department\nkey: code\nattributes:\n\(attributes)",
            to: "m.yaml")
        let words = ["--models", Self.model, "--version", "Company"]
        let run = try trip.ferry(["export", store, "--mapping", "m.yaml", "--output", "out.\(format)"] + words)
        guard run.status < 2 else { return (run, "", [], []) }
        let imported = try trip.ferry(
            ["import", "out.\(format)", "--mapping", "m.yaml", "--store", "b.sqlite", "--progress", "none"] + words)
        #expect(imported.status == 0, "\(imported.summary)")
        func rows(_ store: String) throws -> [String] {
            let run = try trip.ferry(
                ["fetch", store, "--entity", "Department", "--columns", "code,name,budget", "--format", "csv"] + words)
            return run.output.split(separator: "\n").map(String.init).sorted()
        }
        let file = try String(contentsOfFile: directory.file("out.\(format)"), encoding: .utf8)
        return (run, file, try rows(store), try rows("b.sqlite"))
    }

    @Test(
        .long,
        arguments: [
            ("json", "x[1].name", "x[3]", #""@a".code"#, #""x":[null,{"name":"Engineering"},null,1250000.5]"#),
            ("json", "x[0]", "at.budget", "x[1]", #""x":["Engineering",10],"at":{"budget":1250000.5}"#),
            ("xml", "names.name[1]", "names.name[0].@of", "@id", #"<names><name of="1250000.5"></name><name>Eng"#),
            ("xml", "names.name[1]", "names.name[0].@of", "@id", "<names><name/><name>Design"),
            ("xml", "title", "b[2]", "title.@code", #"<title code="10">Engineering</title><b/><b/><b>1250000.5</b>"#),
            ("xml", "title.name", "title.@budget", "title.text()", #"<title budget="1250000.5">10<name>Eng"#),
        ])
    func placesAndAttributesAreWrittenWhereTheyLie(
        format: String, name: String, budget: String, code: String, text: String
    ) throws {
        let (run, file, old, new) = try departments(
            format, "  name: '\(name)'\n  budget: {from: '\(budget)', default: ''}\n  code: '\(code)'\n")
        #expect(file.contains(text), "\(run.summary) \(file)")
        #expect(old == new && old.count == 7)
    }

    @Test(arguments: [
        ("json", "a", "a.b", "a.b and a overlap"), ("json", "'a[0]'", "a.b", "overlap"),
        ("xml", "a.b", "a", "a and a.b overlap"), ("json", "'a[12345]'", "b", "a[12345] leads into a part"),
        ("json", "'[0].a'", "b", "[0].a leads into a part"), ("xml", "'@a.b'", "b", "@a.b leads into a part"),
    ])
    func pathsThatNoRecordHoldsAreRefused(format: String, code: String, name: String, reason: String) throws {
        let (run, _, _, _) = try departments(format, "  code: \(code)\n  name: \(name)\n")
        #expect(run.status == 2 && run.errors.contains(reason), "\(run.summary)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("out.\(format)")))
    }

    /// An element is there for its attribute, and its text is then an empty one, not a missing one.
    @Test func aMissingTextInAnElementThatIsThereIsNoNULL() throws {
        let (run, file, old, new) = try departments(
            "xml", "  code: b.@code\n  name: b.@name\n  budget: {from: b, emptyAsNull: never, default: '1'}\n")
        #expect(run.status == 1 && run.errors.contains("/Department/p2: budget: "), "\(run.summary)")
        #expect(!file.contains("Design") && old.count == new.count + 1)
    }
}
