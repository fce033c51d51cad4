import PredicateExpressions

/// People, pets and clubs, in tables as Core Data makes them.
struct PeopleSchema: SQLSchema {
    static let person = 0
    static let pet = 1
    static let club = 2

    private static let tables = [
        SQLTable(name: "\"ZPERSON\""), SQLTable(name: "\"ZPET\""), SQLTable(name: "\"ZCLUB\""),
    ]
    private static let properties: [[String: SQLProperty]] = [
        [
            "name": .attribute(column: "\"ZNAME\"", .string), "nick": .attribute(column: "\"ZNICK\"", .string),
            "age": .attribute(column: "\"ZAGE\"", .integer, bounds: -32768...32767),
            "points": .attribute(column: "\"ZPOINTS\"", .integer), "height": .attribute(column: "\"ZHEIGHT\"", .real),
            "isAdult": .attribute(column: "\"ZISADULT\"", .boolean), "born": .attribute(column: "\"ZBORN\"", .date),
            "price": .attribute(column: "\"ZPRICE\"", .decimal),
            "identifier": .attribute(column: "\"ZIDENTIFIER\"", .uuid),
            "home": .attribute(column: "\"ZHOME\"", .url), "boss": .toOne(column: "\"ZBOSS\"", destination: person),
            "team": .toMany(inverseColumn: "\"ZBOSS\"", destination: person),
            "pets": .toMany(inverseColumn: "\"ZOWNER\"", destination: pet),
            "clubs": .manyToMany(
                table: "\"Z_1CLUBS\"", ownColumn: "\"Z_1MEMBERS\"", otherColumn: "\"Z_3CLUBS\"", destination: club),
            "secret": .inaccessible(reason: "secret is transient"),
        ],
        [
            "name": .attribute(column: "\"ZNAME\"", .string), "weight": .attribute(column: "\"ZWEIGHT\"", .real),
            "legs": .attribute(column: "\"ZLEGS\"", .integer, bounds: -32768...32767),
            "born": .attribute(column: "\"ZBORN\"", .date), "chip": .attribute(column: "\"ZCHIP\"", .uuid),
            "cost": .attribute(column: "\"ZCOST\"", .decimal),
            "owner": .toOne(column: "\"ZOWNER\"", destination: person),
        ],
        [
            "name": .attribute(column: "\"ZNAME\"", .string),
            "fee": .attribute(column: "\"ZFEE\"", .integer, bounds: .min ... .max),
            "members": .manyToMany(
                table: "\"Z_1CLUBS\"", ownColumn: "\"Z_3CLUBS\"", otherColumn: "\"Z_1MEMBERS\"", destination: person),
        ],
    ]

    func table(of entity: Int) -> SQLTable { Self.tables[entity] }

    func property(_ name: String, of entity: Int) -> SQLProperty? { Self.properties[entity][name] }

    static let statements = """
        CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, ZAGE INTEGER, ZPOINTS INTEGER, ZISADULT INTEGER, ZBOSS INTEGER,
            ZHEIGHT FLOAT, ZBORN TIMESTAMP, ZPRICE DECIMAL, ZNAME VARCHAR, ZNICK VARCHAR, ZHOME VARCHAR, ZIDENTIFIER BLOB);
        CREATE TABLE ZPET (Z_PK INTEGER PRIMARY KEY, ZLEGS INTEGER, ZOWNER INTEGER, ZWEIGHT FLOAT, ZBORN TIMESTAMP, ZCOST DECIMAL, ZNAME VARCHAR,
            ZCHIP BLOB);
        CREATE TABLE ZCLUB (Z_PK INTEGER PRIMARY KEY, ZFEE INTEGER, ZNAME VARCHAR);
        CREATE TABLE Z_1CLUBS (Z_1MEMBERS INTEGER, Z_3CLUBS INTEGER, PRIMARY KEY (Z_1MEMBERS, Z_3CLUBS));
        """
}
