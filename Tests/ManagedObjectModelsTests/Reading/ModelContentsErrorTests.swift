import ManagedObjectModels
import Testing
import TestSupport

@Suite
struct ModelContentsErrorTests {
    private func failure(_ bytes: [UInt8]) -> ModelError? {
        do {
            _ = try ModelContentsReader.read(bytes: bytes, name: "contents")
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            ("<entity name='A'/>\n<entity name='A'/>", .duplicateEntity, "A", nil, 3),
            (
                "<entity name='A'>\n<attribute name='x'/>\n<relationship name='x' destinationEntity='A'/></entity>",
                .duplicateProperty, "A", "x", 4
            ),
            ("\n<entity representedClassName='A'/>", .missingName(element: "entity"), nil, nil, 3),
            ("<entity name='A'>\n<attribute name=''/></entity>", .missingName(element: "attribute"), "A", nil, 3),
            ("<entity name='A' parentEntity='B'/>", .unknownSuperentity("B"), "A", nil, 2),
            ("<entity name='A' parentEntity='A'/>", .inheritanceCycle, "A", nil, 2),
            (
                "<entity name='C' parentEntity='A'/>\n<entity name='A' parentEntity='B'/>\n"
                    + "<entity name='B' parentEntity='A'/>",
                .inheritanceCycle, "A", nil, 3
            ),
            (
                "<entity name='A'>\n<relationship name='r' destinationEntity='B'/></entity>", .unknownDestination("B"),
                "A", "r", 3
            ),
            (
                "<entity name='A'>\n<attribute name='c' attributeType='Composite' composite='C'/></entity>",
                .unknownComposite("C"), "A", "c", 3
            ),
        ] as [(String, ModelError.Code, String?, String?, Int)])
    func errorsHaveACodeTheEntityThePropertyAndTheLine(
        content: String, code: ModelError.Code, entity: String?, property: String?, line: Int
    ) {
        let error = failure(Array(modelText(content).utf8))
        #expect(error == ModelError(code, entity: entity, property: property, path: "contents", line: line))
    }

    @Test
    func aDocumentThatIsNoModelIsNamedAsSuch() {
        #expect(failure(Array("<plist/>".utf8))?.code == .notAModel("its root is <plist>, not <model>"))
        #expect(failure([])?.code == .unreadable("the document is empty"))
        #expect(failure(Array("bplist00".utf8)) != nil)
    }

    @Test
    func everyTruncationOfAModelIsAnError() {
        let whole = Array(modelText("<entity name='A'><attribute name='é' attributeType='String'/></entity>").utf8)
        for count in 0..<whole.count { #expect(failure(Array(whole[..<count])) != nil, "\(count) bytes") }
        #expect(failure(whole) == nil)
    }

    @Test
    func entityDeclarationsAreRefusedSoThatNothingCanExpand() {
        let text = "<!DOCTYPE model [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><model name='&b;'/>"
        #expect(failure(Array(text.utf8))?.line == 1)
    }

    @Test
    func aThousandBytesOfAnythingEndInAnError() {
        var random = RandomNumbers(seed: 99)
        for _ in 0..<100 {
            var bytes = Array("<model type='x'><entity name='".utf8)
            for _ in 0..<1_000 {
                bytes.append(.random(in: 0...255, using: &random))
            }
            #expect(failure(bytes) != nil)
        }
    }

    @Test
    func aModelInWhichBytesAreChangedIsReadOrAnErrorNeverACrash() {
        let whole = Array(ModelContentsWriter(ManagedObjectModel.withEverything).text().utf8)
        var random = RandomNumbers(seed: 5)
        var errorCount = 0
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count - 40, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = .random(in: 0x20...0x7E, using: &random)
                case 1: bytes.removeSubrange(place..<place + .random(in: 1...30, using: &random))
                default: bytes.insert(contentsOf: bytes[place..<place + .random(in: 1...30, using: &random)], at: place)
                }
            }
            do {
                let model = try ModelContentsReader.read(bytes: bytes, name: "contents").model
                _ = ModelHashes.entityHashes(of: try ResolvedModel(model))
            } catch {
                errorCount += 1
            }
        }
        #expect((1..<300).contains(errorCount))
    }

    @Test(.long, arguments: [(16_000, false), (16_001, true)])
    func entitiesThatAStoreCannotNumberAreRefused(count: Int, isRefused: Bool) throws {
        let model = ManagedObjectModel(entities: (0..<count).map { EntityDescription(name: "E\($0)") })
        if isRefused {
            #expect(throws: ModelError(.tooManyEntities(limit: 16_000))) { try ResolvedModel(model) }
        } else {
            #expect(try ResolvedModel(model).entities.last?.number == count)
        }
    }

    @Test(.long)
    func compositesAndHeirsCannotMultiplyWithoutEnd() throws {
        var composites = "<composite name='C0'><attribute name='x' attributeType='String'/></composite>"
        for level in 1..<7 {
            let elements = (0..<20).map { index in
                "<attribute name='e\(index)' attributeType='Composite' composite='C\(level - 1)'/>"
            }
            composites += "<composite name='C\(level)'>\(elements.joined())</composite>"
        }
        let entity = "<entity name='E'><attribute name='c' attributeType='Composite' composite='C6'/></entity>"
        let nested = try ModelContentsReader.read(bytes: Array(modelText(entity + composites).utf8), name: "contents")
        #expect(throws: ModelError(.tooManyProperties(limit: 1_000_000), entity: "E")) {
            try ResolvedModel(nested.model)
        }
        let heirs = (0..<3_000).map { index in
            EntityDescription(
                name: "E\(index)", superentityName: index > 0 ? "E\(index - 1)" : nil,
                attributes: [AttributeDescription(name: "a\(index)", type: .string)])
        }
        #expect(throws: ModelError.self) { try ResolvedModel(ManagedObjectModel(entities: heirs)) }
    }

    @Test
    func warningsDoNotGrowWithoutEnd() throws {
        let text = modelText(String(repeating: "<future/>", count: 5_000))
        #expect(try ModelContentsReader.read(bytes: Array(text.utf8), name: "contents").warnings.count == 1_000)
    }

    @Test
    func aChainOfAThousandHeirsIsNoCycle() throws {
        var content = "<entity name='E0'/>"
        for index in 1..<1_000 { content += "<entity name='E\(index)' parentEntity='E\(index - 1)'/>" }
        #expect(failure(Array(modelText(content).utf8)) == nil)
    }

    @Test
    func aMissingFileIsAnErrorWithItsPath() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("contents")
        #expect(throws: ModelError(.unreadable("cannot be read: No such file or directory"), path: path)) {
            try ModelContentsReader.read(path: path)
        }
    }
}
