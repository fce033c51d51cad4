import Foundation
import TestSupport
import Testing

/// The texts beside a model, in what the tool prints.
@Suite struct LocalizationTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        // Beside the store, so that nothing of the project is changed.
        try FileManager.default.copyItem(atPath: Samples.path + "/Library", toPath: directory.file("Library"))
    }

    private func ferry(_ words: String...) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words, in: directory.path)
    }

    @Test func aModelsNamesAreShownInTheDevelopmentLanguage() throws {
        let run = try ferry("inspect", "Library")
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.output.contains(#"Branch "Library branch""#), "\(run.output)")
        // What is called by its own name is shown once.
        #expect(!run.output.contains(#""Book""#))
    }

    @Test func aStoresModelIsShownInTheLanguageThatIsAskedFor() throws {
        let made = try ferry("fixture", "-m", "Library", "--rows", "2", "-o", "store.sqlite")
        #expect(made.status == 0, "\(made.summary)")
        let run = try ferry("inspect", "store.sqlite", "-m", "Library", "--language", "de")
        #expect(run.output.contains(#"Book "Buch""#), "\(run.output)")
        #expect(run.output.contains(#"isbn "ISBN""#), "\(run.output)")
        #expect(run.output.contains(#"name "Name der Autorin oder des Autors""#), "\(run.output)")
        let json = try ferry("inspect", "store.sqlite", "-m", "Library", "--language", "de", "--json")
        #expect(json.output.contains(#""localizedName" : "Zweigstelle""#), "\(json.output)")
        let unknown = try ferry("inspect", "store.sqlite", "-m", "Library", "--language", "fr")
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("no texts in the language \"fr\"; it has these: de, en"), "\(unknown.errors)")
    }

    @Test(arguments: [nil, "de"]) func rejectionsNamePropertiesAsTheModelsTextsDo(_ language: String?) throws {
        try directory.write("isbn,title\n12,Short\n", to: "books.csv")
        if language == "de" {
            let text = #""Property/isbn/Entity/Book" = "Buchnummer";"#
            try directory.write(text, to: "Library/de.lproj/LibraryModel.strings")
        }
        let words = ["import", "books.csv", "--store", "new.sqlite", "-m", "Library", "--entity", "Book"]
        let run = try ToolProcess.ferry(words + (language.map { ["--language", $0] } ?? []), in: directory.path)
        #expect(run.status == 1, "\(run.summary)")
        let called = language == nil ? "ISBN" : "Buchnummer"
        #expect(run.output.contains("Book.isbn \"\(called)\": "), "\(run.output)")
    }

    @Test func aFileThatCannotBeReadIsPassedOver() throws {
        try directory.write("\"Entity/Book\" = ;", to: "Library/en.lproj/LibraryModel.strings")
        let run = try ferry("inspect", "Library")
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.output.contains("Branch"))
        #expect(!run.output.contains("Library branch"))
    }
}
