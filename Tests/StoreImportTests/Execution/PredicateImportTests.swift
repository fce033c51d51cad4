import ManagedObjectModels
import StoreImport
import TestSupport
import Testing

/// Regular expressions and validation predicates of a model hold for what is imported.
@Suite struct PredicateImportTests {
    private let fixture: ImportFixture

    init() throws {
        var code = AttributeDescription(name: "code", type: .string)
        code.validation = AttributeValidation(regularExpression: "a|ab|(x+)+y")
        var process = AttributeDescription(name: "process", type: .integer32, isOptional: true)
        process.validation = AttributeValidation(otherPredicates: [
            ValidationPredicate(predicateFormat: "SELF != 3", warning: "Process ID is 3"),
            ValidationPredicate(predicateFormat: "SELF < 100", warning: "1610"),
        ])
        var word = AttributeDescription(name: "word", type: .string, isOptional: true)
        word.validation = AttributeValidation(
            maximum: .real(1e300), otherPredicates: [ValidationPredicate(predicateFormat: "SELF BEGINSWITH \"w\"")])
        var other = AttributeDescription(name: "other", type: .string, isOptional: true)
        other.validation = AttributeValidation(
            otherPredicates: [ValidationPredicate(predicateFormat: "FUNCTION(SELF, \"isGood\") == YES")])
        fixture = try ImportFixture(
            model: ManagedObjectModel(entities: [
                EntityDescription(name: "Run", attributes: [code, process, word, other])
            ]))
    }

    private func run(
        _ rows: String, localization: LocalizationDictionary? = nil
    ) throws -> (report: ImportReport, rejections: [RecordRejection]) {
        var rejections: [RecordRejection] = []
        var options = ImportOptions()
        options.localization = localization
        options.onReject = { rejection, _ in rejections.append(rejection) }
        let report = try fixture.run(
            "code,process,word\n" + rows, as: "r.csv", mapping: "entity: Run\nattributes: [code, process, word]",
            options: options)
        return (report, rejections)
    }

    @Test func aPatternIsForTheWholeTextWhateverItsAlternatives() throws {
        let rejections = try run("ab,,\na,,\nabc,,\nxxxy,,\n").rejections
        #expect(rejections.map(\.line) == [4])
        #expect(rejections.map(\.reasons[0].code) == [1680])
    }

    @Test func aPatternThatTakesForeverRejectsTheRecord() throws {
        let rejections = try run(String(repeating: "x", count: 60) + ",,\na,,\n").rejections
        #expect(rejections.map(\.line) == [2])
    }

    @Test func predicatesRejectWithTheirWarningOrTheirNumber() throws {
        let rejections = try run("a,3,\na,4,w\na,100,\na,5,v\n").rejections
        #expect(rejections.map(\.line) == [2, 4, 5])
        #expect(rejections.map(\.reasons[0].code) == [1550, 1610, 1550])
        #expect(
            rejections.map(\.reasons[0].message) == [
                "Process ID is 3 (the model's rule is SELF != 3)", "the value breaks the model's rule SELF < 100",
                "the value breaks the model's rule SELF BEGINSWITH \"w\"",
            ])
        #expect(try fixture.rows("SELECT ZPROCESS FROM ZRUN") == ["4"])
    }

    @Test func warningsAreInTheLanguageOfTheModel() throws {
        let texts = LocalizationDictionary(entries: ["ErrorString/Process ID is 3": "3 ist vergeben"])
        let rejections = try run("a,3,\n", localization: texts).rejections
        #expect(rejections.map(\.reasons[0].message) == ["3 ist vergeben (the model's rule is SELF != 3)"])
    }

    @Test func whatCannotBeEvaluatedIsAFinding() throws {
        let report = try fixture.run(
            "code,other\na,b\n", as: "r.csv", mapping: "entity: Run\nattributes: [code, other]")
        #expect(report.rejected == 0)
        #expect(report.findings.count == 1)
        #expect(report.findings.first?.contains("Run.other") == true)
    }
}
