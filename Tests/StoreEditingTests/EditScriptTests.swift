import DocumentReading
import StoreEditing
import TestSupport
import Testing

/// Steps in YAML.
@Suite struct EditScriptTests {
    private func read(_ text: String) throws -> [EditStep] {
        let directory = try TemporaryDirectory()
        return try EditScript.read(path: directory.write(text, to: "steps.yaml"))
    }

    @Test func everyStepIsRead() throws {
        let steps = try read(
            """
            edits: 1
            steps:
            - update: Employee
              where: salary < 10
              set: {salary: salary * 2}
            - delete: Department
              where: code == 1
            - insert: Employee
              set: {salary: 1}
              setJSON: {label: '{"a": 1}'}
              link: {department: code == 2}
            - relate: Employee.department
              where: salary = 1
              to: code = 2
            - unrelate: Employee.projects
              where: TRUEPREDICATE
            """)
        #expect(
            steps == [
                .update("Employee", where: "salary < 10", set: [EditAssignment("salary", "salary * 2")]),
                .delete("Department", where: "code == 1"),
                .insert(
                    "Employee", set: [EditAssignment("salary", "1"), EditAssignment("label", json: "{\"a\": 1}")],
                    link: [EditLink("department", to: "code == 2")]),
                .relate("Employee", relationship: "department", where: "salary = 1", to: "code = 2"),
                .unrelate("Employee", relationship: "projects", where: "TRUEPREDICATE", to: nil),
            ])
    }

    @Test(arguments: [
        ("steps: []", "edits: 1"), ("edits: 1", "\"steps\""), ("edits: 2\nsteps: []", "edits: 1"),
        ("edits: 1\nsteps:\n- delete: A", "needs \"where\""),
        ("edits: 1\nsteps:\n- update: A\n  where: x", "needs \"set\""),
        ("edits: 1\nsteps:\n- delete: A\n  where: x\n  set: {a: 1}", "has no \"set\""),
        ("edits: 1\nsteps:\n- delete: A\n  where: x\n  setJSON: {a: 1}", "has no \"setJSON\""),
        ("edits: 1\nsteps:\n- update: A\n  where: x\n  setJSON: {a: {b: 1}}", "\"a\""),
        ("edits: 1\nsteps:\n- delete: A\n  insert: B", "one of update"),
        ("edits: 1\nsteps:\n- relate: A.b\n  where: x", "needs \"to\""),
        ("edits: 1\nsteps:\n- relate: A\n  where: x\n  to: y", "Entity.relationship"),
        ("edits: 1\nsteps:\n- remove: A", "no key \"remove\""),
    ])
    func whatIsWrongHasItsPlace(text: String, message: String) throws {
        let error = try #require(throws: DocumentErrors.self) { try read(text) }
        #expect("\(error)".contains(message) && "\(error)".contains("steps.yaml:"), "\(error)")
    }
}
