import ExternalPrograms
import Foundation
import KeyedArchives
import ManagedObjectModels
import PersistentStores
import TestSupport
import Testing

@testable import ManagedObjects
@testable import ValueTransformers

/// Value transformers that are programs.
@Suite struct ProgramTransformerTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Probe",
            attributes: [
                AttributeDescription(
                    name: "label", type: .transformable, isOptional: true, valueTransformerName: "Label")
            ])
    ])
    private static let label = TransformableKey<PropertyListValue>("label")

    /// Keeps texts as their bytes, and refuses all else. It counts its starts.
    private static let texts = """
        echo x >> starts
        read -r greeting
        [ "$greeting" = '{"ferry":1,"transformer":"Label"}' ] || exit 9
        while read -r line; do
            value=${line#*:\\"}
            value=${value%\\"\\}}
            case $line in
                '{"reverse":"'*) printf '{"value":"%s"}\\n' "$(printf %s "$value" | base64 -d)" ;;
                '{"transform":"'*) printf '{"data":"%s"}\\n' "$(printf %s "$value" | base64 -w 0)" ;;
                *) echo '{"error":"only texts have labels"}' ;;
            esac
        done
        """

    private struct Laboratory {
        let directory: TemporaryDirectory
        let holder: TestDirectoryHolder

        func context() -> ManagedObjectContext { ManagedObjectContext(holder.coordinator) }

        var starts: Int {
            (try? String(contentsOfFile: directory.file("starts"), encoding: .utf8).filter(\.isNewline).count) ?? 0
        }
    }

    private func laboratory(_ script: String, patience: Int64 = 60) throws -> Laboratory {
        let directory = try TemporaryDirectory()
        try directory.write("cd '\(directory.path)'\n" + script, to: "label.sh")
        var program = try #require(ExternalProgram("sh '\(directory.file("label.sh"))'"))
        program.patience = patience
        var options = CoordinatorOptions()
        options.transformers = options.transformers.registering(
            ProgramTransformer(program, as: "Label"), as: "Label")
        return Laboratory(directory: directory, holder: try TestDirectoryHolder(Self.model, options))
    }

    @Test func programsMapBothWays() throws {
        let laboratory = try laboratory(Self.texts)
        let context = laboratory.context()
        #expect(laboratory.starts == 0)
        let probe = try context.insert("Probe")
        try probe.setValue(.string("grün"), of: Self.label)
        try context.save()
        #expect(try laboratory.holder.rows("SELECT CAST(ZLABEL AS TEXT) FROM ZPROBE") == ["'grün'"])
        let other = laboratory.context()
        let found = try other.fetch("Probe")[0]
        #expect(try found.value(of: Self.label) == .string("grün"))
        #expect(laboratory.starts == 1)
    }

    @Test func whatAProgramRefusesChangesNothing() throws {
        let laboratory = try laboratory(Self.texts)
        let context = laboratory.context()
        let probe = try context.insert("Probe")
        try probe.setValue(.string("a"), of: Self.label)
        try context.save()
        let error = #expect(throws: ValueTransformerError.self) {
            try probe.setValue(.array([.integer(1)]), of: Self.label)
        }
        #expect(error?.description == "Label, sh: it says: only texts have labels")
        #expect(!context.hasChanges)
        #expect(try probe.value(of: Self.label) == .string("a"))
        #expect(laboratory.starts == 1)
    }

    @Test(
        arguments: [
            ("exit 3", "it ended with status 3 before it had answered the batch"),
            ("echo nothing; cat", "column 1 of its answer is not JSON: no value begins like this"),
            (#"echo '{"value":1}'; cat"#, #"its answer has no base64 as "data""#),
            (#"echo '{"data":"?"}'; cat"#, #"its answer has no base64 as "data""#),
            (
                "exec sleep 600",
                "it has written nothing for 1 seconds and still owes answers; it was ended"
            ),
        ])
    func programsThatFailAreErrorsAndAreStartedAgain(script: String, reason: String) throws {
        // The first start does what the script says, the others are well.
        let laboratory = try laboratory(
            "if ! [ -e starts ]; then echo x >> starts; read -r greeting; read -r line; \(script); exit; fi\n"
                + Self.texts, patience: 1)
        let context = laboratory.context()
        let probe = try context.insert("Probe")
        let error = #expect(throws: ValueTransformerError.self) { try probe.setValue(.string("a"), of: Self.label) }
        #expect(error?.description == "Label, sh: " + reason)
        #expect(try probe.value(of: Self.label) == nil)
        guard !script.contains("value") && !script.contains("?") else { return }
        try probe.setValue(.string("b"), of: Self.label)
        try context.save()
        #expect(try laboratory.holder.rows("SELECT CAST(ZLABEL AS TEXT) FROM ZPROBE") == ["'b'"])
        #expect(laboratory.starts == 2)
    }

    @Test func aProgramThatIsNotThereIsAnError() throws {
        var options = CoordinatorOptions()
        let program = try #require(ExternalProgram("/nowhere/label"))
        options.transformers = options.transformers.registering(ProgramTransformer(program, as: "Label"), as: "Label")
        let holder = try TestDirectoryHolder(Self.model, options)
        let context = ManagedObjectContext(holder.coordinator)
        let probe = try context.insert("Probe")
        #expect(throws: ValueTransformerError.self) { try probe.setValue(.string("a"), of: Self.label) }
    }

    @Test func contextsOfSeveralTasksShareAProgram() async throws {
        let laboratory = try laboratory(Self.texts)
        let coordinator = laboratory.holder.coordinator
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<4 {
                group.addTask {
                    let context = ManagedObjectContext(coordinator)
                    return (0..<10).allSatisfy { number in
                        let text = PropertyListValue.string("\(task) \(number)")
                        guard let probe = try? context.insert("Probe") else { return false }
                        try? probe.setValue(text, of: Self.label)
                        return (try? probe.value(of: Self.label)) == text
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(laboratory.starts == 1)
    }

    // MARK: - JSON

    @Test(
        arguments: [
            (PropertyListValue.null, "null"), (.boolean(true), "true"), (.integer(-7), "-7"), (.real(2), "2.0"),
            (.real(-.infinity), #"{"$real":"-inf"}"#), (.wideInteger(1 << 100), "1267650600228229401496703205376"),
            (.string("a\"\n"), #""a\"\n""#), (.date(0.5), #"{"$date":0.5}"#), (.data([0, 255]), #"{"$data":"AP8="}"#),
            (.set([.integer(1)]), #"{"$set":[1]}"#), (.array([.null, .array([])]), "[null,[]]"),
            (dictionary([("a", .integer(1)), ("$b", .null)]), #"{"a":1,"$b":null}"#),
            (dictionary([("$data", .string("AP8="))]), #"{"$dictionary":{"$data":"AP8="}}"#),
            (dictionary([("$dictionary", dictionary([]))]), #"{"$dictionary":{"$dictionary":{}}}"#),
        ] as [(PropertyListValue, String)])
    func valuesOfPropertyListsAreJSON(value: PropertyListValue, text: String) throws {
        var line: [UInt8] = []
        try PropertyListJSON.append(value, to: &line)
        #expect(String(decoding: line, as: UTF8.self) == text)
        #expect(try PropertyListJSON.value(JSONLineParser.value(line, in: 0..<line.count)) == value)
    }

    @Test(arguments: [#"{"$set":1}"#, #"{"$other":1}"#, #"{"$data":"?"}"#, #"{"$real":"1"}"#, #"[{"$date":"x"}]"#])
    func otherFormsAreErrors(text: String) throws {
        let json = try JSONLineParser.value(Array(text.utf8), in: 0..<text.utf8.count)
        #expect(throws: ValueTransformerError.self) { try PropertyListJSON.value(json) }
    }

    private static func dictionary(_ pairs: [(String, PropertyListValue)]) -> PropertyListValue {
        var dictionary = PropertyListDictionary()
        for (key, value) in pairs { dictionary[key] = value }
        return .dictionary(dictionary)
    }
}
