/// What an aggregate function gathers of one group of rows.
public protocol SQLAggregate: AnyObject {
    /// Takes one row's arguments; what it throws becomes the statement's error.
    /// - Throws: any error, which becomes that of the statement.
    func step(_ arguments: borrowing FunctionArguments) throws

    /// The group's value, also where there was no row.
    /// - Throws: any error, which becomes that of the statement.
    func result() throws -> SQLiteValue
}
