import ImportTestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Paths of a mapping that no record of a source has.
@Suite struct MissingPathTests {
    private func run(
        _ text: String, _ mapping: String, as name: String = "things.json", also other: String? = nil
    ) throws -> ImportReport {
        let part =
            "<relationship name='parts' optional='YES' toMany='YES' destinationEntity='Part' inverseName='thing' "
            + "inverseEntity='Thing'/>"
        let thing =
            "<relationship name='thing' optional='YES' maxCount='1' destinationEntity='Thing' inverseName='parts' "
            + "inverseEntity='Thing'/>"
        let fixture = try ImportFixture(
            entities: DraftFixture.entity("Thing", "name", "size:Integer 32", more: part)
                + DraftFixture.entity("Part", "name", more: thing))
        let read = try ImportMappingReader.read(bytes: Array("import: 1\n\(mapping)\n".utf8), name: "m.yaml").mapping
        var sources = [try fixture.write(text, as: name)]
        if let other { sources.append(try fixture.write(other, as: "more.json")) }
        return try fixture.run(sources, .mapping(read))
    }

    @Test func aMisspelledPathOfJSONIsAFindingWithTheNearestOne() throws {
        let report = try run(
            #"[{"name": "a", "size": 1}, {"name": "b", "size": null}]"#,
            "entity: Thing\nattributes: {name: nmae, size: size}")
        #expect(report.entities[0].inserted == 2 && report.hasFindings)
        #expect(report.findings.count == 1)
        #expect(
            report.findings[0].contains(
                #"Thing: no record has the path "nmae"; did you mean 'name'? There are: name, size"#))
        #expect(report.sources[0].missingPaths?.map(\.path) == ["nmae"])
    }

    @Test func aMisspelledPathOfXMLIsAFinding() throws {
        let report = try run(
            "<r><i><name>a</name><d unit='x'>1</d></i></r>",
            "records: i\nentity: Thing\nattributes: {name: Name, size: 'd.@units'}", as: "things.xml")
        #expect(
            report.findings.map { $0.contains("did you mean 'name'?") || $0.contains("did you mean 'd.@unit'?") } == [
                true, true,
            ])
    }

    @Test func whatSomeRecordHasOrMayHaveIsNoFinding() throws {
        let text = #"[{"name": "a", "p": []}, {"name": "b", "o": null}, {"size": 3}]"#
        let mapping =
            "entity: Thing\nattributes: {name: name, size: {from: [wide, size]}}\n"
            + "relationships: {parts: {each: 'p[*]', entity: Part, attributes: {name: 'n.x'}}}"
        #expect(try !run(text, mapping).hasFindings)
    }

    @Test func partsAreLookedForAndWhatIsInThem() throws {
        let text = #"[{"name": "a", "p": [{"n": "x"}]}]"#
        let parts =
            "entity: Thing\nattributes: {name: name}\nrelationships: {parts: {each: 'EACH', entity: Part, attributes: {name: NAME}}}"
        func findings(_ each: String, _ name: String) throws -> [String] {
            let mapping = parts.replacing("EACH", with: each).replacing("NAME", with: name)
            return try run(text, mapping).findings
        }
        #expect(try findings("p[*]", "n") == [])
        #expect(
            try findings("p[*]", "m").first?.contains("Part: no record has the path \"m\"; did you mean 'n'?") == true)
        #expect(try findings("q[*]", "n").first?.contains("no record has the path \"q[*]\"") == true)
    }

    @Test func ofSeveralFilesOfASourceOneIsEnough() throws {
        let mapping = "entity: Thing\nattributes: {name: name, size: size}"
        #expect(try run(#"[{"name": "a"}]"#, mapping).findings.count == 1)
        #expect(try run(#"[{"name": "a"}]"#, mapping, also: #"[{"size": 1}]"#).findings == [])
        #expect(try run(#"[{"name": "a"}]"#, mapping, also: #"[{"name": "b"}]"#).findings.count == 1)
        // A file without records says nothing.
        #expect(try run("[]", mapping).findings == [])
    }

    @Test func pathsOfFiltersAreLookedForToo() throws {
        let text = #"[{"name": "a", "state": "ok", "p": [{"n": "x", "kind": "k"}]}]"#
        func findings(_ filter: String, parts: String = "{kind: k}") throws -> [String] {
            let mapping =
                "where: \(filter)\nentity: Thing\nattributes: {name: name}\n"
                + "relationships: {parts: {each: 'p[*]', where: \(parts), entity: Part, attributes: {name: n}}}"
            return try run(text, mapping).findings
        }
        #expect(try findings("{state: ok}") == [])
        #expect(
            try findings("{stat: ok}").first?.contains("no record has the path \"stat\"; did you mean 'state'?") == true
        )
        #expect(try findings("{any of: [{state: ok}, {status: {not: x}}]}").count == 1)
        // A value that may be missing by the filter's own words need not be there.
        #expect(try findings("{gone: {present: false}}") == [])
        #expect(try findings("{state: ok}", parts: "{knd: k}").first?.contains("the path \"p[*].knd\"") == true)
    }

    @Test func elementsThatAreNotThereAreNamedWithThoseThatAre() throws {
        func findings(_ text: String, _ records: String) throws -> [String] {
            try run(
                text, "records: \(records)\nentity: Thing\nattributes: {name: name}", as: "things.xml"
            ).findings
        }
        let text = "<r><items><item><name>a</name></item></items></r>"
        #expect(try findings(text, "//item") == [])
        let missing = try findings(text, "/r/items/itme")
        #expect(missing.count == 1)
        #expect(
            missing[0].contains(
                "no element has the path \"/r/items/itme\"; did you mean '/r/items/item'? There are: /r, /r/items, "))
        // A list of nothing is no wrong path.
        #expect(try findings("<r><items/></r>", "/r/items/itme") == [])
        #expect(try findings("<r/>", "//item").first?.hasSuffix("; there are: /r") == true)
    }

    @Test func whatIsKeptOfThePathsThatExistIsBounded() throws {
        let record = "{" + (0..<50).map { "\"k\($0)\": {\"a\": 1}" }.joined(separator: ",") + "}"
        var source = try JSONSource(ByteInput(bytes: Array("[\(record),\(record)]".utf8), name: "t.json"))
        var limits = PathWatch.Limits()
        (limits.paths, limits.values, limits.depth) = (10, 30, 1)
        var names = FieldNames()
        var compiled = try CompiledSource(name: "t", filter: nil, objects: [])
        compiled.watchedPaths = [try RecordPath("x", names: &names)]
        #expect(PathWatch(compiled, among: nil, limits: limits) == nil)
        var work = ConvertedBatch(for: compiled, limits: RecordBatch.Limits(rows: 1))
        _ = try source.next(into: &work.batch)
        var watch = PathWatch(paths: [try RecordPath("k99", names: &names)], limits: limits)
        let hasChanged = watch.observe(work)
        #expect(hasChanged)
        #expect(watch.missing.map(\.path) == ["k99"])
        #expect(watch.missing[0].hint.contains("There are: ") && !watch.missing[0].hint.contains("k0.a"))
        #expect(watch.knownCount == 10)
    }

    @Test func recordsThatAreNotThereAreNamedWithThoseThatAre() throws {
        let error = #expect(throws: SourceError.self) {
            try run(#"{"items": [], "total": 0}"#, "records: itms\nentity: Thing\nattributes: {name: name}")
        }
        #expect(
            error?.description.contains("there is no key 'itms'; did you mean 'items'? There are: items, total") == true
        )
    }

    /// The values of a column have no parts, whatever it is called.
    @Test(arguments: [
        ("siez", #"no record has the path "siez"; did you mean 'size'? There are: name, size"#),
        ("size", "the values of the column have no parts"), (".", #"no record has the path ".""#),
    ])
    func partsOfAFlatSourceAreAFinding(each: String, message: String) throws {
        let report = try run(
            "name,size\na,1\nb,2\n",
            "entity: Thing\nattributes: [name, size]\nrelationships:\n"
                + "  parts: {each: '\(each)', entity: Part, attributes: {name: name}}", as: "things.csv")
        #expect(report.hasFindings)
        #expect(report.findings.count == 1)
        let subject = ", Part: \"each: \(each)\" finds nothing: "
        #expect(report.findings.first?.contains(subject + message) == true)
    }

    /// Several files of a source say it once, though their columns differ.
    @Test func partsOfSeveralFlatFilesAreOneFinding() throws {
        let fixture = try ImportFixture(
            entities: DraftFixture.entity(
                "Thing", "name",
                more: "<relationship name='parts' optional='YES' toMany='YES' destinationEntity='Part' "
                    + "inverseName='thing' inverseEntity='Thing'/>")
                + DraftFixture.entity(
                    "Part", "name",
                    more: "<relationship name='thing' optional='YES' maxCount='1' destinationEntity='Thing' "
                        + "inverseName='parts' inverseEntity='Thing'/>"))
        let sources = [
            try fixture.write("name,pars\na,1\n", as: "t1.csv"), try fixture.write("name,x\na,1\n", as: "t2.csv"),
        ]
        let mapping = try ImportMapping(
            yaml: "import: 1\nfiles: t*.csv\nentity: Thing\nkey: name\nattributes: [name]\nrelationships:\n"
                + "  parts: {each: parts, entity: Part, attributes: {name: name}}\n")
        let report = try fixture.run(sources, .mapping(mapping))
        #expect(report.findings.count == 1)
        #expect(report.findings.first?.contains("did you mean 'pars'?") == true)
    }
}
