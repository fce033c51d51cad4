import Foundation
import GeneratedStores
import ManagedObjectModels
import MappingModels
import Testing

@Suite struct InferenceReportTests {
    @Test func theVerdictSaysWhetherDataDecides() throws {
        #expect(InferenceReport(try infer([entity("A")], [entity("A")])).verdict == .inferable)
        #expect(
            InferenceReport(try infer([entity("A")], [entity("A", [attribute("x", optional: false)])])).verdict
                == .dataDependent)
        #expect(
            InferenceReport(
                try infer(
                    [entity("A", [attribute("x")])],
                    [entity("A", [attribute("x", .date), attribute("y", optional: false)])])
            ).verdict == .refused)
    }

    @Test func theTextNamesWhatChangesAndCountsTheRest() throws {
        let mapping = try infer(
            [entity("Car", [attribute("maker"), attribute("year"), attribute("gone")]), entity("Old")],
            [
                entity("Added"),
                entity(
                    "Auto", renamedFrom: "Car",
                    [attribute("brand", renamedFrom: "maker"), attribute("year"), attribute("note")]),
            ])
        #expect(
            InferenceReport(mapping).text == """
                inferable

                IEM_Add_Added       new
                IEM_Transform_Auto  Car -> Auto, 1 property as it is
                  brand <- maker
                  note is new
                  gone is dropped
                IEM_Remove_Old      dropped with its objects

                """)
    }

    @Test func theTextSaysWhatIsWrongAndWhatToDo() throws {
        let text = InferenceReport(
            try infer(
                [entity("A", [attribute("x")])],
                [entity("A", [attribute("x", .date), attribute("y", optional: false)])])
        ).text
        #expect(text.hasPrefix("refused:\n  A.x: the attribute's type changes from String to Date\n    keep the type"))
        #expect(text.contains("(134190)\nalso, some data would make a migration fail:\n  A.y: the new attribute"))
        #expect(text.contains("(134110)\n"))
    }

    @Test func theJSONFormHasTheFacts() throws {
        let report = InferenceReport(
            try infer([entity("A", [attribute("x")])], [entity("A", [attribute("x", .date)])]))
        let data = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(InferenceReport.self, from: data) == report)
        let failure = try #require(report.failures.first)
        #expect(failure.code == "attributeTypeChanged")
        #expect(failure.cocoaCode == 134_190)
        #expect(failure.property == "x")
        #expect(report.entityMappings.first?.attributes.first?.source == "x")
    }
}
