import Foundation
import ManagedObjectModels
import TestSupport
import Testing

@Suite struct LocalizationTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for folder in ["App.xcdatamodeld/App.xcdatamodel", "App.xcdatamodeld/de.lproj", "en.lproj", "fr.lproj"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(folder), withIntermediateDirectories: true)
        }
        try directory.write(
            #"<model type="com.apple.IDECoreDataModeler.DataModel"/>"#, to: "App.xcdatamodeld/App.xcdatamodel/contents")
    }

    private func files() throws -> [LocalizationFile] {
        let bundle = try #require(try ModelVersions(path: directory.file("App.xcdatamodeld")).current().bundle)
        return try LocalizationFile.files(of: bundle)
    }

    @Test
    func filesOfTheModelsNameAreFoundBesideItAndInItByLanguage() throws {
        try directory.write(#""Entity/A" = "An A";"#, to: "en.lproj/AppModel.strings")
        try directory.write(#""Entity/A" = "Ein A";"#, to: "App.xcdatamodeld/de.lproj/AppModel.strings")
        try directory.write(#""Entity/A" = "The A";"#, to: "AppModel.strings")
        // Of another model, and no model's.
        try directory.write("", to: "fr.lproj/OtherModel.strings")
        try directory.write("", to: "fr.lproj/App.strings")
        let files = try files()
        #expect(
            files.map(\.relativePath) == ["AppModel.strings", "en.lproj/AppModel.strings", "de.lproj/AppModel.strings"])
        #expect(files.map(\.language) == [nil, "en", "de"])
        #expect(files.map(\.isInBundle) == [false, false, true])
        #expect(try files.map { try $0.dictionary().entityName("A") } == ["The A", "An A", "Ein A"])
    }

    @Test(arguments: [String.Encoding.utf8, .utf16, .utf16BigEndian])
    func theTextsOfAnEntityWinOverThoseOfAll(encoding: String.Encoding) throws {
        let text = """
            /* The names that users see. */
            "Entity/Emp" = "Employé";
            "Property/name" = "Name";
            "Property/name/Entity/Emp" = "Full name";
            "ErrorString/Process ID < 0" = "Process ID must not be less than 0";
            """
        var data = try #require(text.data(using: encoding))
        if encoding == .utf16BigEndian { data = Data([0xFE, 0xFF]) + data }
        try directory.write(Array(data), to: "en.lproj/AppModel.strings")
        let texts = try #require(try files().first).dictionary()
        #expect(texts.entries.count == 4)
        #expect(texts.entityName("Emp") == "Employé")
        #expect(texts.entityName("Other") == "Other")
        #expect(texts.propertyName("name", of: "Emp") == "Full name")
        #expect(texts.propertyName("name", of: "Other") == "Name")
        #expect(texts.propertyName("age", of: "Emp") == "age")
        #expect(texts.errorString("Process ID < 0") == "Process ID must not be less than 0")
        #expect(texts.errorString("too small") == "too small")
    }

    @Test
    func aFileThatDoesNotParseIsAProblemWithAPlace() throws {
        try directory.write(#""Entity/A" = ;"#, to: "en.lproj/AppModel.strings")
        let file = try #require(try files().first)
        #expect(throws: ModelError.self) { try file.dictionary() }
        let problem = try #require(file.problem)
        #expect("\(problem)".hasPrefix(directory.file("en.lproj/AppModel.strings")))
    }
}
