import Testing

@testable import MappingDrafting

@Suite struct NameWordsTests {
    @Test(arguments: [
        ("employeeID", ["employee", "id"]), ("employee_id", ["employee", "id"]), ("Employee ID", ["employee", "id"]),
        ("URLString", ["url", "string"]), ("theURL", ["the", "url"]), ("userIDs", ["user", "ids"]), ("@ref", ["ref"]),
        ("iata2Code", ["iata2", "code"]), ("été_début", ["été", "début"]), ("", []), ("---", []),
    ])
    func namesAreParted(_ name: String, _ words: [String]) {
        #expect(NameWords(name).words == words)
    }

    @Test(arguments: [
        ("countries", "country"), ("Boxes", "box"), ("people", "person"), ("status", "status"), ("class", "class"),
        ("bus", "bus"), ("addresses", "address"), ("news", "news"), ("employees", "Employee"),
    ])
    func oneAndSeveralAreTheSame(_ several: String, _ one: String) {
        #expect(NameWords(several).isSame(as: NameWords(one)))
    }

    @Test func whatIsBehindAPrefixIsFoundAtAWordsEndOnly() {
        #expect(NameWords("employee_code").dropping(prefix: NameWords("Employee"))?.words == ["code"])
        #expect(NameWords("employees").dropping(prefix: NameWords("employee")) == nil)
        #expect(NameWords("employee").dropping(prefix: NameWords("employee")) == nil)
    }
}
