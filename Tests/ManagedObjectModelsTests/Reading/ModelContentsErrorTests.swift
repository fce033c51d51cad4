import ManagedObjectModels
import Testing
import TestSupport

@Suite("Source models that are wrong")
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
        "Errors have a code, the entity, the property and the line",
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
    func errors(content: String, code: ModelError.Code, entity: String?, property: String?, line: Int) {
        let error = failure(Array(modelText(content).utf8))
        #expect(error == ModelError(code, entity: entity, property: property, path: "contents", line: line))
    }

    @Test("A document that is no model is named as such")
    func otherDocuments() {
        #expect(failure(Array("<plist/>".utf8))?.code == .notAModel("its root is <plist>, not <model>"))
        #expect(failure([])?.code == .unreadable("the document is empty"))
        #expect(failure(Array("bplist00".utf8)) != nil)
    }

    @Test("Every truncation of a model is an error")
    func truncations() {
        let whole = Array(modelText("<entity name='A'><attribute name='é' attributeType='String'/></entity>").utf8)
        for count in 0..<whole.count { #expect(failure(Array(whole[..<count])) != nil, "\(count) bytes") }
        #expect(failure(whole) == nil)
    }

    @Test("Entity declarations are refused, so that nothing can expand")
    func entityBomb() {
        let text = "<!DOCTYPE model [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><model name='&b;'/>"
        #expect(failure(Array(text.utf8))?.line == 1)
    }

    @Test("A thousand bytes of anything end in an error")
    func garbage() {
        var state: UInt64 = 99
        for _ in 0..<100 {
            var bytes = Array("<model type='x'><entity name='".utf8)
            for _ in 0..<1_000 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(UInt8(state >> 56))
            }
            #expect(failure(bytes) != nil)
        }
    }

    @Test("Warnings do not grow without end")
    func manyWarnings() throws {
        let text = modelText(String(repeating: "<future/>", count: 5_000))
        #expect(try ModelContentsReader.read(bytes: Array(text.utf8), name: "contents").warnings.count == 1_000)
    }

    @Test("A chain of a thousand heirs is no cycle")
    func longChain() throws {
        var content = "<entity name='E0'/>"
        for index in 1..<1_000 { content += "<entity name='E\(index)' parentEntity='E\(index - 1)'/>" }
        #expect(failure(Array(modelText(content).utf8)) == nil)
    }

    @Test("A missing file is an error with its path")
    func missingFile() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("contents")
        #expect(throws: ModelError(.unreadable("cannot be read: No such file or directory"), path: path, line: 1)) {
            try ModelContentsReader.read(path: path)
        }
    }
}
