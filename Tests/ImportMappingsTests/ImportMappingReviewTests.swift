import DocumentReading
import ImportTestSupport
import ManagedObjectModels
import TestSupport
import Testing

@testable import ImportMappings

@Suite struct ImportMappingReviewTests {
    private let model: ResolvedModel

    init() throws {
        model = try ResolvedModel(ModelVersions(path: Samples.models("Company")).version("Company 4").model())
    }

    private func problems(_ yaml: String) throws -> [String] {
        try ImportMappingReview(ImportMapping(yaml: "import: 1\n" + yaml), model: model).problems.map(\.description)
    }

    /// A mapping of an employee with what is required, and more.
    private func employee(_ more: String = "", attributes: String = "", relationships: String = "") throws -> [String] {
        try problems(
            """
            entity: Employee
            \(more)
            attributes: {firstName: f, lastName: l, employeeID: i\(attributes.isEmpty ? "" : ", " + attributes)}
            relationships: {\(relationships)}
            """.replacing("relationships: {}", with: ""))
    }

    @Test func whatFitsTheModelHasNoProblems() throws {
        #expect(
            try employee(
                "key: [employeeID, department]", attributes: "hired: {from: h, date: seconds1970}",
                relationships: "department: {by: code, from: d}, skills: {from: s, separator: ',', onMissing: create}, "
                    + "projects: {by: title, from: 'p[*]'}") == [])
    }

    @Test func aSourceKeyMustBeGivenToTheObjectsThatItNames() throws {
        let missing = try employee(relationships: "department: {sourceKey: d}")
        #expect(
            missing == [
                "Employee.department leads to Division, and no mapping gives its objects a \"sourceKey\"; add it to the "
                    + "mapping that makes them"
            ], "\(missing)")
        #expect(
            try employee("sourceKey: [a, b]", relationships: "manager: {sourceKey: m}").first?.contains("sourceKey")
                == true)
        #expect(
            try employee("sourceKey: id", relationships: "manager: {sourceKey: m, onMissing: create}")
                == [
                    "Employee.manager is found by a source key, from which no object can be created; use \"skip\" or \"error\""
                ])
        #expect(try employee("sourceKey: id", relationships: "manager: {sourceKey: m}") == [])
    }

    @Test func unknownNamesAreReportedWithTheNearest() throws {
        #expect(try problems("entity: Employe") == ["the model has no entity \"Employe\"; did you mean \"Employee\"?"])
        #expect(
            try employee(attributes: "hird: h") == ["there is no attribute Employee.hird; did you mean \"hired\"?"])
        #expect(
            try employee(attributes: "zzzzzz: h")
                == ["there is no attribute Employee.zzzzzz; see the model for its names"])
        #expect(
            try employee(relationships: "manger: m")
                == ["there is no relationship Employee.manger; did you mean \"manager\"?"])
        #expect(
            try employee(relationships: "manager: {by: employeID, from: m}")
                == ["there is no attribute Employee.employeID; did you mean \"employeeID\"?"])
    }

    @Test func attributesAndRelationshipsAreToldApart() throws {
        #expect(
            try employee(attributes: "manager: m")
                == ["Employee.manager is a relationship; move it to \"relationships\""])
        #expect(
            try employee(relationships: "email: m") == ["Employee.email is an attribute; move it to \"attributes\""])
    }

    @Test func whatNoStoreHoldsCannotBeMapped() throws {
        #expect(
            try employee(attributes: "fullName: n")
                == ["Employee.fullName is transient, so that no store holds it; remove it"])
        #expect(
            try problems("entity: Division\nattributes: [name, code, headcount]")
                == ["Division.headcount is derived, so that the store computes it; remove it"])
    }

    @Test func abstractEntitiesAreForObjectsThatAreThere() throws {
        #expect(
            try problems("entity: Person\nattributes: [firstName, lastName]") == [
                "Person is abstract and cannot be created; name a subentity, or say \"onMissing: skip\""
            ])
        #expect(
            try problems("entity: Person\nkey: lastName\nonMissing: skip\nattributes: [lastName, phone]") == [])
    }

    @Test func settingsAndConstantsMustFitTheType() throws {
        #expect(
            try employee(attributes: "phone: {from: p, date: iso8601}")
                == ["Employee.phone: \"date\" is for dates, and the attribute is of the type String; remove it"])
        #expect(
            try employee(attributes: "vacationDays: {from: v, default: many}") == [
                "Employee.vacationDays cannot be \"many\": not an integer; expected an integer from -32768 to 32767"
            ])
        #expect(
            try employee(attributes: "isActive: {constant: ja}")
                == [
                    "Employee.isActive cannot be \"ja\": neither a word for yes nor one for no; expected a word for yes or no"
                ])
        #expect(try employee(attributes: "isActive: {constant: ja, yes: ja}, photo: {constant: x, binary: file}") == [])
    }

    @Test func keysMustBeMappedAndTellObjectsApart() throws {
        #expect(
            try employee("key: [email, employeeID]")
                == ["Employee.email is part of the key, and nothing is mapped to it; map it, or change the key"])
        #expect(
            try employee("key: manager")
                == ["Employee.manager is part of the key, and nothing is mapped to it; map it, or change the key"])
        #expect(
            try employee("key: skills", relationships: "skills: s")
                == [
                    "Employee.skills is a to-many relationship, which cannot identify an object; remove it from the "
                        + "key"
                ])
        #expect(
            try problems("entity: Project\nonMatch: skip\nattributes: [code, title]") == [
                "Project has neither a key nor a uniqueness constraint whose attributes are mapped, so that no object "
                    + "can be found; add \"key\""
            ])
        #expect(try employee("onMissing: skip") == [])
    }

    @Test func relationshipsMustLeadWhereTheModelSays() throws {
        #expect(
            try employee(relationships: "department: {by: name, from: d, entity: Partner}")
                == ["Employee.department leads to Division and its subentities; name one of those as \"entity\""])
        #expect(
            try employee(relationships: "department: {entity: Skill, attributes: [name]}")
                == ["Employee.department leads to Division, and the object is of Skill; refer to another object"])
        #expect(
            try problems("entity: Skill\nattributes: [name]\nrelationships: {employees: {by: department.nam, from: x}}")
                == ["there is no attribute Division.nam; did you mean \"name\"?"])
        #expect(
            try problems(
                "entity: Skill\nattributes: [name]\nrelationships: {employees: {by: department.name, from: x}}")
                == [])
        #expect(
            try employee(relationships: "projects: p") == [
                "Employee.projects leads to Project, which has no key of one attribute; name the attribute as \"by\""
            ])
    }

    @Test func whatIsForToManyIsNotForToOne() throws {
        #expect(
            try employee(relationships: "department: {from: d, separator: ;, add: true, order: o}") == [
                "Employee.department is a to-one relationship; remove \"add\"",
                "Employee.department is not ordered; remove \"order\"",
                "Employee.department is a to-one relationship; remove \"separator\"",
            ])
    }

    @Test func whatIsRequiredAndNotMappedIsAWarning() throws {
        let mapping = try ImportMapping(yaml: "import: 1\nentity: Employee\nattributes: [employeeID]")
        let problems = ImportMappingReview(mapping, model: model).problems
        #expect(problems.map(\.isWarning) == [true])
        #expect(
            problems.first?.description == "Employee requires firstName, lastName, which nothing is mapped to: every "
                + "new object will be rejected; map them, or say \"onMissing: skip\"")
        #expect(
            try employee(relationships: "manager: {from: m, onMissing: create}") == [
                "Employee requires firstName, lastName, which nothing is mapped to: every new object will be "
                    + "rejected; map them, or say \"onMissing: skip\""
            ])
    }

    @Test func aDocumentPointsToWhatIsWrong() throws {
        let yaml =
            "import: 1\nentity: Skill\nattributes: {nam: Name}\nrelationships: {employees: {by: hired, from: x}}\n"
        let document = try ImportMappingReader.read(bytes: Array(yaml.utf8), name: "m.yaml")
        let error = #expect(throws: DocumentErrors.self) { try document.review(for: model) }
        #expect(
            error?.description == """
                m.yaml:3:14: there is no attribute Skill.nam; did you mean "name"?
                attributes: {nam: Name}
                             ^
                """)
    }
}
