"""The program model: everything behind the frontend sees only this."""
