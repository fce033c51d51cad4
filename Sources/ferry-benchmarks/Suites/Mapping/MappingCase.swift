/// A mapping model and what somebody would write by hand instead of it.
struct MappingCase: Sendable {
    let name: String
    /// Whether the policies are in Swift, and are therefore in this program.
    var runsHere: Bool { name == "policy" || name == "linked" }
    let version: ContactModels.Version
    let mapping: String
    /// The statements that fill the new tables from `source`, and the values that both results must agree in.
    let statements: @Sendable (ContactStore) -> String
    let summary: String
    /// What the ratio may be.
    let limit: Double

    private static let plain = "Z_PK, Z_OPT, ZISACTIVE, ZNUMBER, ZCREATED, ZFIRSTNAME, ZLASTNAME, ZREFERENCE"
    private static let summary =
        "SELECT count(*), sum(Z_PK), CAST(sum(ZAMOUNT) AS INTEGER), sum(length(ZCODE)), sum(ZNUMBER % 97), "
        + "sum(length(ZREFERENCE)), sum(ZISACTIVE), "

    /// Values that SQL can compute.
    static let values = MappingCase(
        name: "values", version: .computed,
        mapping: """
            attributes:
                  label: $source.firstName + " " + $source.lastName
                  amount: $source.amount * 2 + 1
            """,
        statements: { computed($0, amount: "ZAMOUNT * 2 + 1", label: "ZFIRSTNAME || ' ' || ZLASTNAME") },
        summary: summary + "sum(length(ZLABEL)) FROM ZCONTACT;\n", limit: 1.2)

    /// Values that only Swift can compute.
    static let rows = MappingCase(
        name: "rows", version: .computed,
        mapping: """
            attributes:
                  label: $source.lastName
                  amount: $source.code.doubleValue
            """,
        statements: { computed($0, amount: "CAST(ZCODE AS REAL)", label: "ZLASTNAME") },
        summary: summary + "sum(length(ZLABEL)) FROM ZCONTACT;\n", limit: 2.5)

    /// An object of another entity for each value of an attribute.
    static let split = MappingCase(
        name: "split", version: .split,
        mapping: """
            relationships:
                  city: FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "Cities", $source)
              - name: Cities
                source: Contact
                destination: City
                key: name
                attributes: {name: $source.city}
            """,
        statements: { split($0, cityKey: "min(Z_PK)") },
        summary: summary + "sum(ZCITY), (SELECT count(*) + sum(length(ZNAME)) FROM ZCITY) FROM ZCONTACT;\n", limit: 2
    )

    /// The same values as in `values`, by a policy in Swift.
    static let policy = MappingCase(
        name: "policy", version: .computed, mapping: "policy: Benchmarks.LabelPolicy", statements: values.statements,
        summary: values.summary, limit: 3)

    /// The same entity as in `split`, and the same links, by a policy in Swift. Its objects are numbered one after the
    /// other.
    static let linked = MappingCase(
        name: "linked", version: .split, mapping: "policy: Benchmarks.CityPolicy",
        statements: { split($0, cityKey: "row_number() OVER (ORDER BY min(Z_PK))") }, summary: split.summary, limit: 3)

    /// A policy that is a program.
    static let program = MappingCase(
        name: "program", version: .computed,
        mapping: "policy: Benchmarks.LabelPolicy\n    attributes: {label: $source.lastName}",
        statements: { computed($0, amount: "ZAMOUNT", label: "ZLASTNAME") }, summary: values.summary, limit: 10)

    private static func split(_ store: ContactStore, cityKey: String) -> String {
        """
        INSERT INTO main.ZCITY (Z_PK, Z_ENT, Z_OPT, ZNAME)
            SELECT \(cityKey), \(store.number("City")), 1, ZCITY FROM source.ZCONTACT GROUP BY ZCITY ORDER BY 1;
        CREATE INDEX main.CITY_NAME ON ZCITY (ZNAME);
        INSERT INTO main.ZCONTACT (\(plain), Z_ENT, ZAMOUNT, ZCODE, ZCITY) SELECT \(plain), \(store.number("Contact")),
            ZAMOUNT, ZCODE, (SELECT c.Z_PK FROM main.ZCITY c WHERE c.ZNAME = s.ZCITY) FROM source.ZCONTACT s;
        DROP INDEX main.CITY_NAME;

        """
    }

    private static func computed(_ store: ContactStore, amount: String, label: String) -> String {
        """
        INSERT INTO main.ZCONTACT (\(plain), Z_ENT, ZAMOUNT, ZCODE, ZCITY, ZLABEL) SELECT \(plain), \(store.number("Contact")),
            \(amount), ZCODE, ZCITY, \(label) FROM source.ZCONTACT;

        """
    }

    /// The mapping model in YAML.
    var document: String {
        "mapping: 1\nentities:\n  - source: Contact\n    destination: Contact\n    \(mapping)\n"
    }
}
